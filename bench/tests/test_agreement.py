import unittest

from side_by_side.agreement import compare, same_href, same_text
from side_by_side.contenders.contender import Tally
from side_by_side.measure import Measurement
from side_by_side.rounds import Outcome, Round


def outcome(name, items, links=None):
    tally = Tally(1, 0, links or len(items), len(items))
    return Outcome(name, rounds=[Round(Measurement(wall_seconds=1.0), tally)], items=set(items))


def reasons(agreement):
    return {d.reason: (d.left, d.right) for d in agreement.differences}


class AgreementTest(unittest.TestCase):
    def test_finds_nothing_between_equal_sets(self):
        items = {("a", "http://h/a"), ("b", "http://h/b")}
        agreement = compare(outcome("left", items), outcome("right", items))
        self.assertTrue(agreement.is_close)
        self.assertEqual((agreement.common, agreement.differences), (2, ()))

    def test_explains_white_space(self):
        agreement = compare(outcome("l", {("a b", "http://h/")}), outcome("r", {("a\u00a0 b", "http://h/")}))
        self.assertEqual(reasons(agreement), {"white space in the text": (1, 1)})

    def test_explains_the_spelling_of_addresses(self):
        agreement = compare(outcome("l", {("a", "http://h")}), outcome("r", {("a", "HTTP://H:80/")}))
        self.assertEqual(reasons(agreement), {"spelling of the address": (1, 1)})

    def test_explains_a_spelling_that_the_other_side_has_merged(self):
        left = {("a", "http://h"), ("a", "http://h/")}
        agreement = compare(outcome("l", left), outcome("r", {("a", "http://h/")}))
        self.assertEqual(reasons(agreement), {"spelling of the address": (1, 0)})

    def test_explains_other_texts_of_one_address(self):
        agreement = compare(outcome("l", {("a", "http://h/")}), outcome("r", {("b", "http://h/")}))
        self.assertEqual(reasons(agreement), {"other text, same address": (1, 1)})

    def test_names_what_only_one_side_found(self):
        agreement = compare(outcome("l", {("a", "http://h/1")}), outcome("r", {("a", "http://h/2")}))
        self.assertEqual(reasons(agreement), {"found by one only": (1, 1)})

    def test_is_not_close_when_the_counts_of_items_differ_too_much(self):
        items = [("a", f"http://h/{i}") for i in range(100)]
        self.assertTrue(compare(outcome("l", items), outcome("r", items[:98], links=98)).is_close)
        self.assertFalse(compare(outcome("l", items), outcome("r", items[:97], links=97)).is_close)

    def test_is_not_close_when_the_counts_of_links_differ_too_much(self):
        items = [("a", f"http://h/{i}") for i in range(100)]
        self.assertFalse(compare(outcome("l", items, links=100), outcome("r", items, links=103)).is_close)


class SameHrefTest(unittest.TestCase):
    def test_treats_equal_addresses_as_equal(self):
        pairs = (
            ("http://h/a b", "http://h/a%20b"),
            ("http://h/é", "http://h/%C3%A9"),
            ("http://h/x/../y/./z", "http://h/y/z"),
            ("https://h:443/p?q#", "https://h/p?q"),
            ("mailto:?subject=a b", "mailto:?subject=a%20b"),
        )
        for one, other in pairs:
            with self.subTest(one):
                self.assertEqual(same_href(one), same_href(other))

    def test_keeps_different_addresses_apart(self):
        pairs = (
            ("http://h/a", "http://h/A"),
            ("http://h/a", "https://h/a"),
            ("http://h:8080/", "http://h/"),
            ("http://h/?a=1", "http://h/?a=2"),
            ("http://h/#a", "http://h/#b"),
        )
        for one, other in pairs:
            with self.subTest(one):
                self.assertNotEqual(same_href(one), same_href(other))

    def test_survives_what_is_no_address(self):
        for text in ("http://[broken", "http://h:port/", "", "javascript:void(0)"):
            with self.subTest(text):
                self.assertEqual(same_href(text), same_href(text + " "))

    def test_ignores_white_space_and_composition_of_texts(self):
        self.assertEqual(same_text(" e\u0301  x\n"), same_text("\u00e9x"))
        self.assertNotEqual(same_text("a"), same_text("A"))


if __name__ == "__main__":
    unittest.main()
