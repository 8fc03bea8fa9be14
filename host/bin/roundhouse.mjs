#!/usr/bin/env node
// The launcher of a checkout: runs the command line under the pinned Node, after building what is missing.
// Before all else: without a listener SIGUSR1 opens the inspector, and any process of this person can send it.
process.on('SIGUSR1', () => {})
const { spawn } = await import('node:child_process')
const { realpathSync } = await import('node:fs')
const { dirname, join } = await import('node:path')
const { fileURLToPath } = await import('node:url')

const self = realpathSync(fileURLToPath(import.meta.url))
const checkout = dirname(dirname(dirname(self)))
const windows = process.platform === 'win32'
const pinnedNode = join(checkout, 'node_modules', 'node', 'bin', windows ? 'node.exe' : 'node')
/** What the host runs with: nobody opens its inspector by a signal. */
const flag = '--disable-sigusr1'

if (process.execArgv.includes(flag)) {
	// The launcher outside was killed: nobody would stop this host any more.
	process.once('disconnect', () => process.emit('SIGTERM', 'SIGTERM') || process.exit(1))
	process.channel?.unref()
	const { ensureBuilt } = await import('../../scripts/build.ts')
	await ensureBuilt()
	const { main } = await import('../../dist/host/main.js')
	process.exitCode = await main(process.argv.slice(2), { checkout, launcher: self })
} else {
	const child = spawn(pinnedNode, [flag, self, ...process.argv.slice(2)], {
		stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
	})
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
	child.on('error', error => {
		process.stderr.write(`roundhouse: the pinned Node is missing (${error.code}). Run: npm ci\n`)
		process.exit(1)
	})
	child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
}
