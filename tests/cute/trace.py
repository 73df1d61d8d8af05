# SPDX-License-Identifier: BSD-3-Clause
"""`tessera trace` with the CuTe DSL itself: the small programs of tests/trace give the traces of tests/golden/traces, Tessera
reads each atom in them, and each row stands where its name does.

trace.py TESSERA

The DSL is that of $TESSERA_PYTHON, or of the Python that runs this. Exit code 77: it is not here.
TESSERA_ACCEPT=1 writes the traces anew."""
import json, os, re, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "../..")
PROGRAMS = {"gemm_sm80": [], "gemm_sm90": []}


def lines_of(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def comparable(line):
    """Without what another version of the DSL and another machine say otherwise."""
    return {key: value for key, value in line.items() if key not in ("by", "seconds")}


def check_places(name, lines):
    with open(f"tests/trace/{name}.py", "rb") as file:
        source = file.read().split(b"\n")
    for row in (line for line in lines if "name" in line):
        word = re.match(r"(?:self\.)?\w+", row["name"])[0].encode()
        at = source[row["line"] - 1][row["column"] - 1:]
        if not re.match(re.escape(word) + rb"\b", at):
            sys.exit(f"{name}: {row['name']} does not stand at {row['line']}:{row['column']}, where {at[:20]!r} does")


def check_atoms(tessera, name, lines):
    atoms = {(line["atom"], "mma" in line["kind"]) for line in lines if line.get("atom")}
    for atom, is_mma in sorted(atoms):
        asked = f"make_mma_atom({atom})" if is_mma else atom
        ran = subprocess.run([tessera, "eval", "--json", asked], capture_output=True, text=True)
        if ran.returncode != 0:
            sys.exit(f"{name}: Tessera does not know {asked}: {ran.stderr}")
    return len(atoms)


def main():
    tessera = os.path.abspath(sys.argv[1])
    python = os.environ.get("TESSERA_PYTHON") or sys.executable
    if subprocess.run([python, "-c", "import cutlass.cute"], capture_output=True).returncode != 0:
        print(f"skipped: {python} has no nvidia-cutlass-dsl")
        return 77
    os.chdir(ROOT)
    rows = atoms = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, arguments in PROGRAMS.items():
            golden = f"tests/golden/traces/{name}.py.trace"
            out = golden if os.environ.get("TESSERA_ACCEPT") else os.path.join(folder, name)
            ran = subprocess.run([tessera, "trace", f"tests/trace/{name}.py", "--python", python, "--out", out, "--", *arguments],
                                 capture_output=True, text=True)
            if ran.returncode != 0:
                sys.exit(f"{name}: exit code {ran.returncode}\n{ran.stderr}")
            now, was = lines_of(out), lines_of(golden)
            for number, (one, other) in enumerate(zip(map(comparable, now), map(comparable, was)), 1):
                if one != other:
                    sys.exit(f"{golden}:{number}: it says\n{other}\nand what comes out is\n{one}")
            if len(now) != len(was):
                sys.exit(f"{golden} has {len(was)} lines, and what comes out has {len(now)}")
            check_places(name, now)
            atoms += check_atoms(tessera, name, now)
            rows += sum("name" in line for line in now)
    print(f"{len(PROGRAMS)} programs, {rows} rows, {atoms} atoms")
    return 0


if __name__ == "__main__":
    sys.exit(main())
