// SPDX-License-Identifier: BSD-3-Clause
// Nothing but the owner of the precompiled headers that all tests share: main.cpp cannot be it, since it reads Catch2 in another way.
