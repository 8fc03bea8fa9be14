#!/usr/bin/env node
// The launcher: runs the command line under the pinned Node.
// Before all else: without a listener SIGUSR1 opens the inspector, and any process of this person can send it.
process.on('SIGUSR1', () => {})
const { spawn } = await import('node:child_process')
const { existsSync, realpathSync } = await import('node:fs')
const { dirname, join } = await import('node:path')
const { fileURLToPath, pathToFileURL } = await import('node:url')

const self = realpathSync(fileURLToPath(import.meta.url))
const checkout = dirname(dirname(dirname(self)))
/** What the host runs with: nobody opens its inspector by a signal. */
const flag = '--disable-sigusr1'

if (process.execArgv.includes(flag)) {
	// The launcher outside was killed: nobody would stop this host any more.
	process.once('disconnect', () => process.emit('SIGTERM', 'SIGTERM') || process.exit(1))
	process.channel?.unref()
	// A checkout builds what is older than its sources; what ships has no such step.
	const build = join(checkout, 'scripts', 'build-if-stale.mjs')
	if (existsSync(build)) await import(pathToFileURL(build).href)
	// Half of a command's time is compiling; what was compiled lies beside what it was made of, and goes with it.
	const { enableCompileCache } = await import('node:module')
	enableCompileCache(join(checkout, 'dist', 'host', 'compiled'))
	const { main } = await import(pathToFileURL(join(checkout, 'dist', 'host', 'main.js')).href)
	process.exitCode = await main(process.argv.slice(2), { checkout, launcher: self })
} else {
	const { pinnedNode } = await import('./pinned-node.mjs')
	const { standFor } = await import('./stand-for.mjs')
	const child = spawn(pinnedNode(checkout), [flag, self, ...process.argv.slice(2)], {
		stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
	})
	standFor(child, reason => process.stderr.write(`roundhouse: ${reason}\n`))
}
