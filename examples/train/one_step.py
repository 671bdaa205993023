"""One step of GRPO with a tiny random model, on a CPU and without the network: `python one_step.py brownout_tiny`.

A random model says nothing that is a call, so its words are put into its mouth: in each group the first rollout plays the reference
solution and the others give up. All the rest is what a training run has: TRL's trainer, the world's tools, the rewards, the
advantages, the gradient.
"""
# mypy: disable-error-code="import-not-found, misc"

import argparse
import json
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType

import torch
from datasets import Dataset
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM
from transformers.utils import get_json_schema
from trl import GRPOConfig, GRPOTrainer
from trl.chat_template_utils import qwen3_chat_template

from brownout.exporters.inside.opened_export import open_export
from brownout.exporters.smoke_test import solution
from brownout.exporters.trl.tokens import log_tokens

TURN = "<|im_start|>assistant\n"
END = "<|im_end|>"
GIVES_UP = "I do not know."


class RehearsedModel(Qwen3ForCausalLM):
    """A model that says what a script says; it is trained on its own weights."""

    def rehearse(self, tokenizer: PreTrainedTokenizerFast, script: Sequence[str]) -> None:
        """Take the script, a line a turn."""
        self.tokenizer, self.script = tokenizer, script

    def generate(self, input_ids: torch.Tensor, **_: object) -> torch.Tensor:
        """The prompts, each with its script's next line behind it."""
        prompts = self.tokenizer.batch_decode(input_ids)
        lines = [self.tokenizer.encode(self.next_line(text, row) + END) for row, text in enumerate(prompts)]
        width = max(map(len, lines))
        padded = [line + [self.tokenizer.pad_token_id] * (width - len(line)) for line in lines]
        return torch.cat([input_ids, torch.tensor(padded)], dim=1)

    def next_line(self, prompt: str, row: int) -> str:
        """What follows: the rollouts that go on after the first turn are those that play the solution."""
        turns = prompt.count(TURN) - 1
        if turns == 0 and row > 0:
            return GIVES_UP
        return self.script[turns] if turns < len(self.script) else "Done."


def rehearsal(export: ModuleType, task: str) -> tuple[list[str], list[str]]:
    """A task's reference solution as a model would write it, and all texts that such a rollout has."""
    with open_export(export.FOLDER) as world:
        row = next(row for row in world.rows if row.task == task)
        calls = solution(world, row).calls
        episode = world.open("rehearsal", task, seed=row.seed)
        answers = [episode.call(call.name, call.arguments).content for call in calls]
        tools = [str(tool["name"]) for tool in episode.session.tools]
    environment = export.ENVIRONMENTS[task]()
    schemas = [json.dumps(get_json_schema(getattr(environment, name))) for name in tools]
    lines = [json.dumps({"name": call.name, "arguments": call.arguments}) for call in calls]
    script = [f"<tool_call>\n{line}\n</tool_call>" for line in lines]
    return script, [row.prompt, *script, *answers, *schemas]


def tiny_tokenizer(texts: Sequence[str]) -> PreTrainedTokenizerFast:
    """A tokenizer of 6,000 pieces, learned from the lines of some texts, with the chat template of Qwen3."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.decoder = decoders.ByteLevel()
    learning = trainers.BpeTrainer(
        vocab_size=6_000,
        special_tokens=["<|endoftext|>", "<|im_start|>", END],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator((line for text in texts for line in text.splitlines(True)), learning)
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, eos_token=END, pad_token="<|endoftext|>", chat_template=qwen3_chat_template
    )


def tiny_model(tokenizer: PreTrainedTokenizerFast) -> RehearsedModel:
    """Two layers of random weights."""
    torch.manual_seed(0)
    return RehearsedModel(
        Qwen3Config(
            vocab_size=len(tokenizer), hidden_size=32, intermediate_size=64, num_hidden_layers=2, head_dim=16,
            num_attention_heads=2, num_key_value_heads=1, max_position_embeddings=65_536, tie_word_embeddings=True,
            eos_token_id=tokenizer.eos_token_id, pad_token_id=tokenizer.pad_token_id, bos_token_id=None,
        )
    )  # fmt: skip


def main() -> int:
    """Train one step, and say what came of it as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("module", help="the export's Python package: brownout_tiny")
    parser.add_argument("--task", default="", help="which of its tasks; the first one if left out")
    parser.add_argument("--out", type=Path, default=Path("one_step"), help="folder for what is written")
    given = parser.parse_args()
    export = import_module(given.module)
    rows = export.rows()
    task = given.task or rows[0]["environment"]
    script, texts = rehearsal(export, task)
    tokenizer = tiny_tokenizer(texts)
    model = tiny_model(tokenizer)
    model.rehearse(tokenizer, script)
    before = {name: weights.clone() for name, weights in model.state_dict().items()}
    trainer = GRPOTrainer(
        model=model,
        processing_class=tokenizer,
        args=GRPOConfig(
            output_dir=str(given.out), max_steps=1, per_device_train_batch_size=1, gradient_accumulation_steps=2, num_generations=2,
            learning_rate=1e-3, use_cpu=True, bf16=False, save_strategy="no", report_to="none", logging_steps=1,
            max_completion_length=60_000, reward_weights=[1.0, *(0.0 for _ in export.CRITERIA)],
        ),
        train_dataset=Dataset.from_list([row for row in rows if row["environment"] == task]),
        environment_factory=export.ENVIRONMENTS,
        reward_funcs=[export.reward, *export.CRITERIA],
    )  # fmt: skip
    log_tokens(trainer, given.out / "tokens.jsonl")
    trainer.train()
    [logged] = [each for each in trainer.state.log_history if "reward" in each]
    changed = [name for name, weights in model.state_dict().items() if not torch.equal(weights, before[name])]
    sys.stdout.write(
        json.dumps({"steps": trainer.state.global_step, "changed": len(changed), "of": len(before), **logged}) + "\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
