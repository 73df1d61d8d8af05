# SPDX-License-Identifier: BSD-3-Clause
"""Figures as files: seconds of the whole process (median), peak memory and size, beside tensor-layouts and a plain loop in Python.

  python3 tests/bench/figures.py [--tessera build/release/bin/tessera] [--peer /path/to/python] [--repeats 5] [--json]

Each run is a process of its own that starts, draws one file and ends. The peer's python is one that has tensor-layouts (pip install
tensor-layouts==0.3.2 matplotlib, in a virtual environment); without it the peer is "not run". What takes long is not repeated after
--patience seconds, and the table says how often it ran. A figure from a busy machine says little: the load is printed with it.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

LABELLED, LARGE = "(256,256):(256,1)", "(1024,1024):(1024,1)"
TILED = "make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2), (128,128,32))"
KIB, MB = 1024, 1e6
ENDED_BY_TIMEOUT = 124  # what timeout(1) ends with

# Name of the figure, what tessera is asked, format, and what it should keep: seconds, bytes of the file, bytes of memory.
FIGURES = [
    ("256x256, all labels", [LABELLED, "--labels", "all"], "svg", (0.12, 4 * MB, 150 * MB)),
    ("256x256, all labels", [LABELLED, "--labels", "all", "--cell", "16", "--scale", "1"], "png", (0.6, None, 150 * MB)),  # 4335 pixels wide
    ("256x256, all labels", [LABELLED, "--labels", "all"], "pdf", (0.4, None, 150 * MB)),
    ("256x256, all labels", [LABELLED, "--labels", "all"], "tex", (0.1, None, 150 * MB)),
    ("1024x1024, no labels", [LARGE, "--set", "labels=none"], "svg", (1.0, 20 * MB, None)),
    ("1024x1024, no labels", [LARGE, "--set", "labels=none"], "png", (1.0, None, None)),
    ("1024x1024, no labels", [LARGE, "--set", "labels=none"], "pdf", (2.0, None, 300 * MB)),
    ("tiled MMA 128x128x32", [TILED, "--labels", "all"], "svg", (None, None, None)),
    ("tiled MMA 128x128x32", [TILED, "--labels", "all"], "png", (None, None, None)),
    ("tiled MMA 128x128x32", [TILED, "--labels", "all"], "pdf", (None, None, None)),
]


def draw_with_loop(figure, path):
    """What a person writes who wants an SVG and has no library: a rectangle and a text a cell."""
    extent, labels = (256, True) if figure.startswith("256") else (1024, False)
    cell, out = 28, []
    out.append(f'<svg xmlns="http://www.w3.org/2000/svg" width="{extent * cell}" height="{extent * cell}" text-anchor="middle">\n')
    for row in range(extent):
        for col in range(extent):
            offset = row * extent + col
            shade = 255 - 160 * offset // (extent * extent)
            out.append(f'<rect x="{col * cell}" y="{row * cell}" width="{cell}" height="{cell}" fill="rgb({shade},{shade},255)"/>\n')
            if labels:
                out.append(f'<text x="{col * cell + cell / 2}" y="{row * cell + cell / 2}" font-size="8">{offset}</text>\n')
    out.append("</svg>\n")
    with open(path, "w") as file:
        file.write("".join(out))


def draw_with_peer(figure, path):
    """The same figures in tensor-layouts, as its documentation draws them."""
    import tensor_layouts as layouts
    from tensor_layouts import viz

    if figure.startswith("256"):
        viz.draw_layout(layouts.Layout((256, 256), (256, 1)), path, colorize=True)
    elif figure.startswith("1024"):
        viz.draw_layout(layouts.Layout((1024, 1024), (1024, 1)), path, colorize=True, cell_labels=False)
    else:
        from tensor_layouts.atoms_nv import SM80_16x8x16_F32F16F16F32_TN
        from tensor_layouts.layout_utils import tile_mma_grid

        tile = (128, 128, 32)
        grids = [tile_mma_grid(SM80_16x8x16_F32F16F16F32_TN, layouts.Layout((2, 2), (1, 2)), operand, tile)[0] for operand in "ABC"]
        viz.draw_combined_mma_grid(*grids, *tile, path)


DRAWERS = {"loop": draw_with_loop, "peer": draw_with_peer}


def run_once(command):
    """Seconds and peak bytes of a process from its start to its end; None and its last line of complaint where it failed."""
    with tempfile.TemporaryFile() as said:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=said)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode == ENDED_BY_TIMEOUT:
            return None, f"over {seconds:.0f} s"
        if process.returncode != 0:
            said.seek(0)
            lines = said.read().decode(errors="replace").strip().splitlines()
            return None, lines[-1] if lines else f"ended with {process.returncode}"
    return seconds, usage.ru_maxrss * KIB


def measure(who, figure, suffix, command, path, repeats, patience):
    row = {"who": who, "figure": figure, "format": suffix}
    times, peak = [], 0
    while len(times) < repeats and sum(times) < patience:
        seconds, said = run_once(command)
        if seconds is None:
            return {**row, "failed": said}
        times.append(seconds)
        peak = max(peak, said)
    return {**row, "seconds": statistics.median(times), "least": min(times), "most": max(times), "runs": len(times), "peak_bytes": peak,
            "file_bytes": os.path.getsize(path)}


def targets_kept(row, target):
    """The words of the table's last column."""
    missed = []
    for name, value, most, unit in (("s", row["seconds"], target[0], 1), ("MB", row["file_bytes"], target[1], MB),
                                    ("MB of memory", row["peak_bytes"], target[2], MB)):
        if most is not None and value > most:
            missed.append(f"above {most / unit:g} {name}")
    return ", ".join(missed) if missed else "kept" if any(target) else ""


def describe(row):
    if "failed" in row:
        return f"{row['who']:<15} {row['figure']:<22} {row['format']:<4} {row['failed']}"
    return (f"{row['who']:<15} {row['figure']:<22} {row['format']:<4} {row['seconds']:8.3f} s {row['peak_bytes'] / MB:8.1f} MB "
            f"{row['file_bytes'] / MB:8.2f} MB {row['runs']:>3}  {row.get('target', '')}")


def has_peer(python):
    try:
        return subprocess.run([python, "-c", "import tensor_layouts.viz"], stderr=subprocess.DEVNULL).returncode == 0
    except OSError:
        return False


def all_runs(options, folder):
    """Rows as they are measured: for each figure and format tessera, then what there is beside it."""
    me = os.path.abspath(__file__)
    peer_there = has_peer(options.peer)
    for figure, words, suffix, target in FIGURES:
        path = os.path.join(folder, "figure." + suffix)
        row = measure("tessera", figure, suffix, [options.tessera, "draw", *words, "--force", "--out", path], path, options.repeats,
                      options.patience)
        if "failed" not in row:
            row["target"] = targets_kept(row, target)
        yield row
        if suffix == "svg" and not figure.startswith("tiled"):
            yield measure("python loop", figure, suffix, [sys.executable, me, "--child", "loop", figure, path], path, options.repeats,
                          options.patience)
        if suffix == "tex":
            continue  # it writes none
        if not peer_there:
            yield {"who": "tensor-layouts", "figure": figure, "format": suffix, "failed": "not run"}
            continue
        yield measure("tensor-layouts", figure, suffix, ["timeout", str(options.timeout), options.peer, me, "--child", "peer", figure, path],
                      path, options.repeats, options.patience)


def main():
    if len(sys.argv) == 5 and sys.argv[1] == "--child":
        return DRAWERS[sys.argv[2]](sys.argv[3], sys.argv[4])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tessera", default="build/release/bin/tessera", help="the program; build/release/bin/tessera by default")
    parser.add_argument("--peer", default=sys.executable, help="a python that has tensor-layouts; this one by default")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--patience", type=float, default=20, help="seconds after which nothing is repeated")
    parser.add_argument("--timeout", type=float, default=300, help="seconds after which the peer is ended")
    parser.add_argument("--json", action="store_true", help="all numbers as JSON, without the table")
    options = parser.parse_args()
    report = {"cores": os.cpu_count(), "load_before": os.getloadavg()[0], "rows": []}
    if not options.json:
        print(f"{'':<15} {'figure':<22} {'':<4} {'median':>10} {'peak':>11} {'file':>11} runs")
    with tempfile.TemporaryDirectory() as folder:
        for row in all_runs(options, folder):
            report["rows"].append(row)
            if not options.json:
                print(describe(row), flush=True)
    report["load_after"] = os.getloadavg()[0]
    if options.json:
        print(json.dumps(report, indent=1))
    else:
        print(f"{report['cores']} cores, load {report['load_before']:.1f} before and {report['load_after']:.1f} after")


if __name__ == "__main__":
    main()
