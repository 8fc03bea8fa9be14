import { spawnSync } from 'node:child_process'

/** Whether Python 3.10 or newer can make environments; Debian's cannot until `python3-venv` is installed. */
function hasPython(): boolean {
	const program = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))'
	return spawnSync('python3', ['-c', program], { stdio: 'ignore' }).status === 0
}

/** Whether Go is there, in a version (1.21) that fetches the one that the module names. */
function hasGo(): boolean {
	const { stdout } = spawnSync('go', ['version'], { encoding: 'utf8' })
	const [, minor = '0'] = /go1\.(\d+)/.exec(stdout ?? '') ?? []
	return Number(minor) >= 21
}

/** Returns the languages whose clients cannot be tested on this machine. */
export function missingToolChains(): readonly string[] {
	return [...(hasPython() ? [] : ['Python 3.10']), ...(hasGo() ? [] : ['Go 1.21'])]
}
