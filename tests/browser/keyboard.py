"""Going through the studio by keys alone: every stop is in sight and marked, and no stop is a trap."""

from dataclasses import dataclass

from playwright.sync_api import Locator, Page

__all__ = ["Keyboard"]

_FOCUSED = """() => {
  let node = document.activeElement;
  while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
  if (!node || node === document.body) return null;
  let marked = node.matches("input, textarea, [contenteditable=true]"), one = node;
  for (let level = 0; level < 4 && one && !marked; level += 1) {
    const style = getComputedStyle(one);
    marked = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0 || style.boxShadow !== "none";
    one = one.parentElement ?? one.getRootNode().host;
  }
  const box = node.getBoundingClientRect();
  const inSight = box.width > 0 && box.height > 0 && box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth;
  const name = node.getAttribute("aria-label") ?? node.labels?.[0]?.innerText ?? node.textContent ?? "";
  return {name: `${node.tagName.toLowerCase()} ${name.trim().slice(0, 60)}`, marked, inSight};
}"""
_HAS_IT = "node => node.getRootNode().activeElement === node && document.hasFocus()"
_MOST = 90
"""Stops of a page."""


@dataclass(frozen=True, slots=True)
class Keyboard:
    """Somebody's hands on the keys of a page."""

    page: Page

    @property
    def focused(self) -> str:
        """The name of what has the keyboard, empty where nothing has.

        Raises:
            AssertionError: it is out of sight, or nobody sees that it has the keyboard.
        """
        found = self.page.evaluate(_FOCUSED)
        if found is None:
            return ""
        assert found["inSight"], f"{found['name']} has the keyboard out of sight"
        assert found["marked"], f"nobody sees that {found['name']} has the keyboard"
        return str(found["name"])

    def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        for key in keys:
            self.page.keyboard.press(key)

    def type(self, text: str) -> None:
        """Write over what stands in a field."""
        self.page.keyboard.press("Control+a")
        self.page.keyboard.type(text)

    def skip(self) -> None:
        """Go past the sidebar by the page's own link; the page is new, or nothing has the keyboard."""
        self.press("Tab")
        assert "Skip to main content" in self.focused
        self.press("Enter")

    def to(self, target: Locator, *, key: str = "Tab", most: int = _MOST) -> None:
        """Go on by Tab until something has the keyboard; what is not there yet is waited for.

        Raises:
            AssertionError: it is never reached, or a stop before it is not seen.
        """
        target.first.wait_for()
        passed: list[str] = []
        while not target.first.evaluate(_HAS_IT):
            assert len(passed) < most, f"{target} is not reached by {key}; it went by {passed}"
            self.page.keyboard.press(key)
            passed.append(self.focused)

    def activate(self, target: Locator, *, key: str = "Enter", by: str = "Tab") -> None:
        """Go to a button or a link and press it."""
        self.to(target, key=by)
        self.page.keyboard.press(key)

    def holds(self, target: Locator) -> bool:
        """Whether something has the keyboard."""
        return bool(target.first.evaluate(_HAS_IT))
