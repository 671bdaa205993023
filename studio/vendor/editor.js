// What the editor pane takes from CodeMirror 6, under the names that it uses.
export { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, completionStatus, startCompletion, closeCompletion } from "@codemirror/autocomplete";
export { defaultKeymap, history, historyKeymap, indentWithTab, undo, redo } from "@codemirror/commands";
export { python } from "@codemirror/lang-python";
export { yaml } from "@codemirror/lang-yaml";
export { bracketMatching, codeFolding, defineLanguageFacet, foldGutter, foldKeymap, HighlightStyle, indentOnInput, indentUnit, Language, syntaxHighlighting } from "@codemirror/language";
export { forceLinting, lintGutter, lintKeymap, nextDiagnostic, setDiagnostics } from "@codemirror/lint";
export { diff, MergeView } from "@codemirror/merge";
export { highlightSelectionMatches, openSearchPanel, closeSearchPanel, search, searchKeymap, searchPanelOpen } from "@codemirror/search";
export { Annotation, ChangeSet, Compartment, EditorSelection, EditorState, StateEffect, StateField, Transaction } from "@codemirror/state";
export { Decoration, drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers, placeholder } from "@codemirror/view";
export { parser as markdownParser } from "@lezer/markdown";
export { tags } from "@lezer/highlight";
