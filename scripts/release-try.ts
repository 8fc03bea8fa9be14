import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * `npm run release:try -- STAGE`: starts the packed application, with Electron's real binary, and waits until its host
 * serves. Only a machine with that binary can do this.
 */
const programs = [
	'linux-unpacked/roundhouse',
	'mac/Roundhouse.app/Contents/MacOS/Roundhouse',
	'mac-arm64/Roundhouse.app/Contents/MacOS/Roundhouse',
	'win-unpacked/Roundhouse.exe',
]
const longestStartMs = 60_000

const [stage = 'out/desktop'] = process.argv.slice(2)
const program = programs.map(path => resolve(stage, 'out', path)).find(existsSync)
if (!program) throw new Error(`${stage} has no packed application.`)
const home = await mkdtemp(join(tmpdir(), 'roundhouse-try-'))
const needsDisplay = process.platform === 'linux' && !process.env.DISPLAY
const [command = '', ...args] = needsDisplay ? ['xvfb-run', '--auto-servernum', program] : [program]
const application = spawn(command, args, { stdio: 'inherit', env: { ...process.env, ROUNDHOUSE_HOME: home } })
const ended = once(application, 'exit')
try {
	for (const end = Date.now() + longestStartMs; !existsSync(join(home, 'control.json')); await sleep(200))
		if (Date.now() > end || application.exitCode !== null) throw new Error('The application did not start its host.')
	process.stdout.write('The application started its host.\n')
} finally {
	application.kill()
	await ended
	await rm(home, { recursive: true, force: true })
}
