#!/bin/sh
# Makes .venv with the Python packages that some tests compare with. Nothing else needs Python.
# Installs what other tests run, from Debian, where that is allowed here: see debian_list.
#
# usage: setup.sh [peers]
#
# Does nothing where .venv is as python/requirements.txt wants it. Where the packages cannot be
# installed, says so, leaves the reason in .venv-missing and succeeds: those tests then report
# themselves as skipped.
#
# With `peers`, adds what benchmarks and experiments compare with (python/requirements-peers.txt).
# Where that cannot be installed, says so and succeeds: .venv/requirements-peers.txt, which tells
# that it is there, is then missing.
set -eu

cd "$(dirname "$0")/.."
wanted=python/requirements.txt
stamp=.venv/requirements.txt
missing=.venv-missing
wanted_peers=python/requirements-peers.txt
wanted_tracers=python/requirements-tracers.txt
stamp_tracers=.venv/requirements-tracers.txt
stamp_peers=.venv/requirements-peers.txt

case "${1:-}" in
'' | peers) ;;
*)
    echo 'usage: setup.sh [peers]' >&2
    exit 2
    ;;
esac
asked=${1:-}

give_up() {
    rm -rf .venv
    printf '%s\n' "$1" >"$missing"
    printf 'setup.sh: %s\nsetup.sh: tests that need pydarshan will be SKIPPED\n' "$1" >&2
    [ "$asked" != peers ] || give_up_peers 'there is no .venv to install into'
    exit 0
}

give_up_peers() {
    printf 'setup.sh: %s\nsetup.sh: comparisons with FTIO will be SKIPPED\n' "$1" >&2
    exit 0
}

pip_install() {
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-input \
        --retries 1 --timeout 15 "$@" 2>&1
}

# What tests run that Debian has: a command, the packages that bring it, and what needs it.
debian_list() {
    echo "$(browser) chromium tests of HTML pages"
    echo 'mpicc.openmpi openmpi-bin,libopenmpi-dev tests with Open MPI'
    echo 'mpicc.mpich mpich,libmpich-dev tests with MPICH'
    echo 'gfortran gfortran tests of Fortran programs'
    echo 'lmp lammps tests with LAMMPS'
    echo 'strace strace tests that count system calls'
    echo 'tmux tmux tests of live views on a terminal'
    echo 'valgrind valgrind tests of memory errors'
}

# The browser that the tests of HTML pages would find, or what to look for.
browser() {
    for name in "${IOTEMPO_CHROMIUM:-chromium}" chromium chromium-browser google-chrome; do
        if command -v "$name"; then return; fi
    done
    echo chromium
}

# The lines of a list whose command is not there.
missing_of() {
    "$1" | while read -r command packages purpose; do
        command -v "$command" >/dev/null || echo "$command $packages $purpose"
    done
}

apt_install() {
    [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null || return 0
    install_missing debian_list
}

install_missing() {
    for packages in $(missing_of "$1" | cut -d ' ' -f 2); do
        [ -n "${updated:-}" ] || apt_get update || return 0
        updated=yes
        # One by one, so that a package that is not to be had does not keep the others away.
        apt_get install --yes --no-install-recommends $(echo "$packages" | tr ',' ' ') || :
    done
}

# Packages of servers: as debian_list. Where systemd runs they would start with the machine, so there
# it is for its owner to install them.
servers_list() {
    echo '/usr/sbin/slurmctld slurmctld,slurmd,slurmdbd,slurm-client,munge,mariadb-server tests with Slurm'
}

apt_install_servers() {
    [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null && [ ! -d /run/systemd/system ] || return 0
    # Packages ask this program whether to start what they bring.
    policy=/usr/sbin/policy-rc.d
    ours=
    if [ ! -e "$policy" ]; then
        ours=$policy
        trap 'rm -f "$ours"' EXIT
        printf '#!/bin/sh\nexit 101\n' >"$policy" && chmod 755 "$policy" || return 0
    fi
    install_missing servers_list
    [ -z "$ours" ] || rm -f "$ours"
    trap - EXIT
}

apt_get() {
    DEBIAN_FRONTEND=noninteractive apt-get -qq -o Acquire::Retries=1 -o Acquire::http::Timeout=15 \
        "$@" >/dev/null 2>&1
}

# The list of packages may be missing or old.
download() {
    apt_get download "$1" || { apt_get update && apt_get download "$1"; }
}

# Packages that would start a server or a timer are unpacked, not installed: a file that tells
# whether they are there, the packages, and what needs them.
unpacked_list() {
    echo 'usr/bin/prometheus prometheus tests with Prometheus'
    echo 'usr/lib/sysstat/sadc sysstat,libsensors5 tests with iostat and sar'
    echo 'usr/bin/collectl collectl tests with collectl'
}

unpack() {
    unpacked_list | while read -r file packages purpose; do
        if command -v "${file##*/}" >/dev/null || [ -e "/$file" ]; then continue; fi
        if [ -e "target/debian/$file" ]; then continue; fi
        mkdir -p target/debian
        for package in $(echo "$packages" | tr ',' ' '); do
            (cd target/debian && download "$package" </dev/null && dpkg-deb -x "$package"_*.deb . &&
                rm -f "$package"_*.deb) 2>/dev/null || :
        done
        [ -e "target/debian/$file" ] ||
            echo "setup.sh: there is no ${file##*/}: $purpose will be SKIPPED" >&2
    done
}

apt_install
apt_install_servers
unpack
{ missing_of debian_list; missing_of servers_list; } | while read -r command packages purpose; do
    echo "setup.sh: there is no $command: $purpose will be SKIPPED" >&2
done

install_packages() {
    command -v python3 >/dev/null || give_up "there is no python3"
    rm -rf .venv
    said=$(python3 -m venv .venv 2>&1) ||
        give_up "python3 -m venv failed: $(printf '%s\n' "$said" | tail -n 1)"
    said=$(pip_install --requirement "$wanted") ||
        give_up "pip could not install $wanted: $(printf '%s\n' "$said" | tail -n 1)"
    said=$(.venv/bin/python -c 'import darshan.backend.cffi_backend' 2>&1) ||
        give_up "darshan cannot be imported: $(printf '%s\n' "$said" | tail -n 1)"
    cp "$wanted" "$stamp"
}

# Both lists at once: what tests compare with keeps its versions.
install_peers() {
    rm -f "$stamp_peers"
    said=$(pip_install --requirement "$wanted" --requirement "$wanted_peers") ||
        give_up_peers "pip could not install $wanted_peers: $(printf '%s\n' "$said" | tail -n 1)"
    said=$(.venv/bin/python -c 'import ftio.cli.ftio_core' 2>&1) ||
        give_up_peers "ftio cannot be imported: $(printf '%s\n' "$said" | tail -n 1)"
    cp "$wanted_peers" "$stamp_peers"
}

# Not to be had for every Python; without it the benchmarks say so, and go on.
install_tracers() {
    if pip_install --requirement "$wanted" --requirement "$wanted_tracers" >/dev/null; then
        cp "$wanted_tracers" "$stamp_tracers"
    else
        echo "setup.sh: pip could not install $wanted_tracers" >&2
    fi
}

if ! cmp -s "$wanted" "$stamp" || ! .venv/bin/python -c '' 2>/dev/null; then
    install_packages
fi
rm -f "$missing"
if [ "$asked" = peers ] && ! cmp -s "$wanted_tracers" "$stamp_tracers"; then
    install_tracers
fi
if [ "$asked" = peers ] && ! cmp -s "$wanted_peers" "$stamp_peers"; then
    install_peers
fi
