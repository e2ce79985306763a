"""What the cuisines serve."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

Cuisine: TypeAlias = Literal[
    "italian", "japanese", "indian", "mexican", "french", "greek", "thai", "seafood"
]
Course: TypeAlias = Literal["starter", "main", "dessert"]
Diet: TypeAlias = Literal["vegetarian", "vegan", "gluten_free"]

COURSES: Mapping[Course, int] = {"starter": 9, "main": 18, "dessert": 7}
"""What a dish of the course costs about, in dollars."""

_ANY: tuple[Diet, ...] = ()
_VEGETARIAN: tuple[Diet, ...] = ("vegetarian",)
_VEGAN: tuple[Diet, ...] = ("vegetarian", "vegan")
_GLUTEN_FREE: tuple[Diet, ...] = ("gluten_free",)
_ALL: tuple[Diet, ...] = ("vegetarian", "vegan", "gluten_free")
_MILKY: tuple[Diet, ...] = ("vegetarian", "gluten_free")

DISHES: Mapping[Cuisine, tuple[tuple[Course, str, tuple[Diet, ...]], ...]] = {
    "italian": (
        ("starter", "Tomato bruschetta", _VEGAN),
        ("starter", "Burrata with figs", _MILKY),
        ("starter", "Veal in tuna sauce", _GLUTEN_FREE),
        ("main", "Mushroom risotto", _MILKY),
        ("main", "Ravioli with sage", _VEGETARIAN),
        ("main", "Sea bass with fennel", _GLUTEN_FREE),
        ("main", "Lasagne", _ANY),
        ("dessert", "Tiramisu", _VEGETARIAN),
        ("dessert", "Lemon sorbet", _ALL),
    ),
    "japanese": (
        ("starter", "Miso soup", _ALL),
        ("starter", "Pork dumplings", _ANY),
        ("starter", "Seaweed salad", _ALL),
        ("main", "Salmon rice bowl", _GLUTEN_FREE),
        ("main", "Chicken ramen", _ANY),
        ("main", "Vegetable tempura", _VEGETARIAN),
        ("main", "Grilled aubergine with miso", _ALL),
        ("dessert", "Matcha ice cream", _MILKY),
        ("dessert", "Red bean pancake", _VEGAN),
    ),
    "indian": (
        ("starter", "Vegetable samosas", _VEGAN),
        ("starter", "Tandoori prawns", _GLUTEN_FREE),
        ("starter", "Lentil soup", _ALL),
        ("main", "Chickpea curry", _ALL),
        ("main", "Butter chicken", _GLUTEN_FREE),
        ("main", "Spinach with paneer", _MILKY),
        ("main", "Lamb biryani", _GLUTEN_FREE),
        ("dessert", "Mango kulfi", _MILKY),
        ("dessert", "Semolina pudding", _VEGETARIAN),
    ),
    "mexican": (
        ("starter", "Guacamole with corn chips", _ALL),
        ("starter", "Shrimp ceviche", _GLUTEN_FREE),
        ("starter", "Cheese quesadilla", _VEGETARIAN),
        ("main", "Pork tacos", _GLUTEN_FREE),
        ("main", "Black bean burrito", _VEGAN),
        ("main", "Chicken in mole", _ANY),
        ("main", "Stuffed peppers", _MILKY),
        ("dessert", "Churros", _VEGAN),
        ("dessert", "Caramel flan", _MILKY),
    ),
    "french": (
        ("starter", "Onion soup", _ANY),
        ("starter", "Goat cheese salad", _MILKY),
        ("starter", "Leeks in vinaigrette", _ALL),
        ("main", "Beef stew in red wine", _ANY),
        ("main", "Duck with orange", _GLUTEN_FREE),
        ("main", "Ratatouille", _ALL),
        ("main", "Mushroom quiche", _VEGETARIAN),
        ("dessert", "Apple tart", _VEGETARIAN),
        ("dessert", "Chocolate mousse", _MILKY),
    ),
    "greek": (
        ("starter", "Stuffed vine leaves", _ALL),
        ("starter", "Cucumber yoghurt dip", _MILKY),
        ("starter", "Fried squid", _ANY),
        ("main", "Moussaka", _ANY),
        ("main", "Grilled lamb chops", _GLUTEN_FREE),
        ("main", "Spinach pie", _VEGETARIAN),
        ("main", "Giant beans in tomato", _ALL),
        ("dessert", "Walnut baklava", _VEGETARIAN),
        ("dessert", "Yoghurt with honey", _MILKY),
    ),
    "thai": (
        ("starter", "Papaya salad", _GLUTEN_FREE),
        ("starter", "Spring rolls", _VEGAN),
        ("starter", "Coconut soup with tofu", _ALL),
        ("main", "Green curry with chicken", _GLUTEN_FREE),
        ("main", "Red curry with tofu", _ALL),
        ("main", "Fried rice noodles with prawns", _GLUTEN_FREE),
        ("main", "Basil beef", _ANY),
        ("dessert", "Mango with sticky rice", _ALL),
        ("dessert", "Fried banana", _VEGAN),
    ),
    "seafood": (
        ("starter", "Oysters", _GLUTEN_FREE),
        ("starter", "Fish soup", _ANY),
        ("starter", "Beetroot carpaccio", _ALL),
        ("main", "Grilled mackerel", _GLUTEN_FREE),
        ("main", "Mussels in cider", _GLUTEN_FREE),
        ("main", "Crab linguine", _ANY),
        ("main", "Barley with roasted squash", _VEGAN),
        ("dessert", "Rhubarb crumble", _VEGAN),
        ("dessert", "Vanilla custard", _MILKY),
    ),
}
"""Course, name and diets of each dish."""
