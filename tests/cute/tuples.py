# SPDX-License-Identifier: BSD-3-Clause
"""Nested tuples of integers, as shapes and strides are."""


def leaves(value):
    return [leaf for each in value for leaf in leaves(each)] if isinstance(value, tuple) else [value]


def product(value):
    made = 1
    for leaf in leaves(value):
        made *= leaf
    return made
