// SPDX-License-Identifier: BSD-3-Clause
// Scene -> the bytes of a file: the formats, and what can be said about the size of a picture.
#pragma once

#include "core/library/tessera/result.hpp"
#include "core/render/export/export.hpp"
#include "core/render/export/formats.hpp"
#include "core/render/shared/render.hpp"
