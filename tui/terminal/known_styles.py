"""Which rules of the stylesheets hold for a widget is found once for each state that it and those around it can be in.

Textual looks through all rules again whenever a class or the focus changes, for the widget, all below it and all their parts;
a key that opens the filter line did so two dozen times.  What comes out depends on what selectors can ask for and on nothing
else: types, names and classes from the app down to the widget, and there the pseudo-classes that the rules in question name.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from textual.app import App
from textual.cache import LRUCache
from textual.css.stylesheet import Stylesheet
from textual.dom import DOMNode

from ..endings import needed
from . import internals

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import PurePath

    from textual.css.model import RuleSet
    from textual.css.styles import RulesMap
    from textual.css.types import CSSLocation

    from .kept_styles import Sheet

    State = tuple[object, ...]
    Kind = tuple[type[DOMNode], str | None, frozenset[str]]
    """Type, name and classes of a node."""

MOST_KNOWN = 4_000
"""States that are remembered."""
MOST_SOURCES = 512
"""Texts that are kept as rules: all that the dashboard has.  Of more than 64 Textual reads each again for each that is added."""
SETTLED_SECONDS = 1.0
"""So long after the first frame the others have come that the program draws by itself."""
_OF_PLACE = frozenset(("first-of-type", "last-of-type", "first-child", "last-child", "empty", "odd", "even"))
"""Pseudo-classes that depend on the siblings; where rules name them, Textual looks."""
_OF_APP = frozenset(("dark", "light", "inline", "ansi", "nocolor"))


class _Asked(NamedTuple):
    """What the rules that may be about a kind of node ask."""

    of_pointer: bool
    of_focus_within: bool
    of_place: bool
    of_app: tuple[str, ...]
    """Pseudo-classes that are the same for all nodes of an app."""
    of_nodes: tuple[str, ...]
    """Pseudo-classes of the node, or of one that it stands in."""


class KnownStyles(Stylesheet):
    """Finds the styles that Textual finds."""

    def __init__(self, *, variables: dict[str, str] | None = None) -> None:
        super().__init__(variables=variables)
        self._parse_cache = LRUCache(MOST_SOURCES)
        self._known_of: list[RuleSet] = []
        self._is_other = False
        """Something was added since it was looked which stylesheets these are."""
        self._known: dict[State, RulesMap | None] = {}
        self._parts: dict[State, dict[str, RulesMap]] = {}
        self._asked: dict[Kind, _Asked] = {}
        self._found: list[RulesMap] = []
        self._before: list[Sheet] = []
        """What was found by the last start."""
        self._sheets: list[Sheet] | None = None
        """What this one finds, while that is to be kept for the next."""
        self._learnt = False

    # -- from one start to the next ----------------------------------------------------------------------------------

    def begin_with(self, sheets: list[Sheet]) -> None:
        """Use what was found before, and note what is found now."""
        self._before, self._sheets, self._is_other = sheets, [], True

    def taken_down(self) -> list[Sheet] | None:
        """What was found up to now, and then what was only known before; None where nothing is new.  From now on nothing is noted."""
        sheets, before, self._sheets, self._before = self._sheets or [], self._before, None, []
        if not sheets or not self._learnt:
            return None
        sheets[-1] = sheets[-1]._replace(asked=dict(self._asked), known=dict(self._known), parts=dict(self._parts))
        now = [one[:2] for one in sheets]
        return [*sheets, *(one for one in before if one[:2] not in now)]

    # -- which stylesheets there are ---------------------------------------------------------------------------------

    def add_source(
        self,
        css: str,
        read_from: CSSLocation | None = None,
        is_default_css: bool = False,
        tie_breaker: int = 0,
        scope: str = "",
    ) -> None:
        """Add a text, unless it is there."""
        count = len(self.source)
        had = self.source.get(read_from) if read_from is not None else None
        super().add_source(css, read_from, is_default_css, tie_breaker, scope)
        if len(self.source) != count or had is None or had.content != css:
            self._is_other = True

    def read(self, filename: str | PurePath) -> None:
        """Add a file."""
        super().read(filename)
        self._rules_map = None
        self._is_other = True

    def parse(self) -> None:
        """Make rules of all texts; what is known of just these stays known."""
        super().parse()
        if not self._is_other:
            self._known_of = self._rules

    def reparse(self) -> None:
        """Make rules of all texts with new variables, of those alone that were not made with them yet."""
        self._is_other = True
        if self._sheets is None:
            self.parse()
        else:  # at the start it may not be needed
            self._require_parse, self._rules_map = True, None

    def _look(self) -> None:
        """See which stylesheets these are, and begin with what is known of them."""
        self._is_other = False
        self._known_of = self._rules
        if self._sheets is None:
            self._known, self._parts, self._asked = {}, {}, {}
            return
        if self._sheets:
            self._sheets[-1] = self._sheets[-1]._replace(asked=self._asked, known=self._known, parts=self._parts)
        here = (self._variables, tuple(self.source.items()))
        alike = (one for one in self._before if len(one.sources) == len(here[1]))
        found = next((one for one in alike if one[:2] == here), None)
        self._asked = dict(found.asked) if found else {}
        self._known = dict(found.known) if found else {}
        self._parts = dict(found.parts) if found else {}
        from .kept_styles import Sheet

        self._sheets.append(Sheet(*here, self._asked, self._known, self._parts))

    # -- the rules of a node -----------------------------------------------------------------------------------------

    def apply(self, node: DOMNode, *, animate: bool = False, cache: dict[State, RulesMap] | None = None) -> None:
        """Give a node its styles."""
        kind: Kind = (type(node), node._id, frozenset(node._classes))
        asked = self._asked_of(kind, node)
        if asked.of_place:
            super().apply(node, animate=animate, cache=cache)
            return
        state = _state(kind, node.css_path_nodes, asked)
        if state not in self._known:
            before, self._found = self._found, []
            super().apply(node, animate=animate)
            found, self._found = self._found, before
            self._keep(self._known, state, found[0] if found else None)
            return
        node._has_hover_style, node._has_focus_within = asked.of_pointer, asked.of_focus_within
        node._has_order_style = node._has_odd_or_even = False
        rules = self._known[state]
        if rules is not None:
            self.replace_rules(node, rules, animate=animate)
        self._process_component_classes(node)

    def _asked_of(self, kind: Kind, node: DOMNode | None) -> _Asked:
        if self._is_other or self._known_of is not self._rules:  # others were read, or the theme is another one
            self._look()
        asked = self._asked.get(kind)
        if asked is None:
            names = (node or DOMNode(classes=" ".join(kind[2])))._selector_names
            by_name = self.rules_map
            rules = {rule for name in by_name.keys() & names for rule in by_name[name]}
            sets = [selectors.selectors for rule in rules for selectors in rule.selector_set]
            named = frozenset(pseudo for selectors in sets for one in selectors for pseudo in one.pseudo_classes)
            own: frozenset[str] = frozenset().union(*(rule.pseudo_classes for rule in rules))
            asked = _Asked(
                "hover" in own,
                "focus-within" in own,
                not _OF_PLACE.isdisjoint(named | own),
                tuple(named & _OF_APP),
                tuple(named - _OF_APP),
            )
            self._asked[kind] = asked
            self._learnt = True
        return asked

    def _keep(self, known: dict[State, Any], state: State, found: object) -> None:
        if len(known) >= MOST_KNOWN:
            known.clear()
        known[state] = found
        self._learnt = True

    def replace_rules(self, node: DOMNode, rules: RulesMap, animate: bool = False) -> None:  # type: ignore[override]
        """Give a node these rules, touching those that are new to it."""
        self._found.append(rules)
        if animate and rules.get("transitions"):
            super().replace_rules(node, rules, animate)
            return
        base = node.styles.base
        had: Mapping[str, object] = base._rules
        if had != rules:
            for key in had.keys() | rules.keys():
                new = rules.get(key)
                if had.get(key) != new:
                    setattr(base, key, new)
        elif animate:  # nor does Textual tell the node then
            return
        node.notify_style_update()

    def _process_component_classes(self, node: DOMNode) -> None:
        """Find the styles of the parts of a node; those that are what they were stay."""
        components = node._get_component_classes()
        if not components:
            return
        kind: Kind = (DOMNode, None, components)
        asked = self._asked_of(kind, None)
        state = _state(kind, node.css_path_nodes, asked)
        rules = None if asked.of_place else self._parts.get(state)
        had = node._component_styles.copy()
        node._component_styles.clear()
        changed = False
        for component in sorted(components):
            styles = had.get(component)
            if styles is None or rules is None or styles.base._rules != rules[component]:
                part = DOMNode(classes=component)
                part._attach(node)
                if rules is None:
                    self.apply(part)
                else:
                    self.replace_rules(part, rules[component])
                changed = changed or styles != part.styles
                styles = part.styles
            node._component_styles[component] = styles
        if rules is None:
            self._keep(self._parts, state, {name: one.base._rules for name, one in node._component_styles.items()})
        if changed:
            node.refresh()


def _state(kind: Kind, path: Sequence[DOMNode], asked: _Asked) -> State:
    """All that decides which rules hold for a node of this kind at the end of a path, or in the last of it."""
    checks: Any = path[0]._PSEUDO_CLASSES
    parts: list[object] = [kind]
    parts += [name in checks and checks[name](path[0]) for name in asked.of_app]
    for node in path:
        parts += (type(node), node._id, frozenset(node._classes))
        if asked.of_nodes:
            checks = node._PSEUDO_CLASSES
            parts += [name in checks and checks[name](node) for name in asked.of_nodes]
    return tuple(parts)


class KnowsStyles(App[None]):
    """An app that finds the rules for a state once."""

    _kept_as = ""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        if internals.ARE_KNOWN:
            self.stylesheet = KnownStyles(variables=self.stylesheet._variables)

    def use_kept_styles(self, name: str) -> None:
        """Begin with what the last start of this name found, and keep what this one finds."""
        if isinstance(self.stylesheet, KnownStyles):
            from .kept_styles import read_sheets

            self._kept_as = name
            self.stylesheet.begin_with(read_sheets(name))

    def on_mount(self) -> None:
        if self._kept_as:
            self.call_after_refresh(self.set_timer, SETTLED_SECONDS, self._settle)

    def on_unmount(self) -> None:
        self._keep_styles(*self._taken_down())

    def _settle(self) -> None:
        """The first frames are out: what comes now may be anything, and no key shall wait until the stylesheets are read."""
        self.stylesheet.rules  # noqa: B018
        keep = partial(self._keep_styles, *self._taken_down())
        self.run_worker(keep, thread=True, group="styles", exit_on_error=False)

    def _taken_down(self) -> tuple[str, list[Sheet] | None]:
        name, self._kept_as = self._kept_as, ""
        return name, self.stylesheet.taken_down() if name and isinstance(self.stylesheet, KnownStyles) else None

    def _keep_styles(self, name: str, sheets: list[Sheet] | None) -> None:
        if sheets:
            from .kept_styles import keep_sheets

            with needed():
                keep_sheets(name, sheets)
