#!/usr/bin/env node
// The launcher: runs the command line under the pinned Node. First of all: without a listener SIGUSR1 opens the
// inspector, and any process of this user can send it.
process.on('SIGUSR1', () => {})
const { spawn } = await import('node:child_process')
const { existsSync, realpathSync } = await import('node:fs')
const { dirname, join } = await import('node:path')
const { fileURLToPath, pathToFileURL } = await import('node:url')

const self = realpathSync(fileURLToPath(import.meta.url))
/** The folder of the checkout, or of the installed package. */
const checkout = dirname(dirname(dirname(self)))
/** The host's flags: no signal opens its inspector. */
const flag = '--disable-sigusr1'

if (process.execArgv.includes(flag)) {
	// The outer launcher was killed, so no program would stop this host.
	process.once('disconnect', () => process.emit('SIGTERM', 'SIGTERM') || process.exit(1))
	process.channel?.unref()
	// A checkout builds what is older than its sources; a release has no such step.
	const build = join(checkout, 'scripts', 'build-if-stale.mjs')
	if (existsSync(build)) await import(pathToFileURL(build).href)
	// Half of a command's time is compilation.
	const { enableCompileCache } = await import('node:module')
	const { compileCache } = await import('./compile-cache.mjs')
	enableCompileCache(compileCache(checkout))
	const { main } = await import(pathToFileURL(join(checkout, 'dist', 'host', 'main.js')).href)
	process.exitCode = await main(process.argv.slice(2), { checkout, launcher: self })
} else {
	const { secretArgument } = await import('./secret-arguments.mjs')
	const refusal = secretArgument(process.argv.slice(2))
	if (refusal) {
		process.stderr.write(`roundhouse: ${refusal}\n`)
		process.exit(2)
	}
	const { findNode } = await import('./pinned-node.mjs')
	const { standFor } = await import('./stand-for.mjs')
	const complain = (/** @type {string} */ reason) => process.stderr.write(`roundhouse: ${reason}\n`)
	/** @type {import('./pinned-node.mjs').FoundNode} */
	let node
	try {
		node = findNode()
	} catch (error) {
		complain(error instanceof Error ? error.message : String(error))
		process.exit(1)
	}
	if (node.notice) complain(node.notice)
	const child = spawn(node.program, [flag, self, ...process.argv.slice(2)], {
		stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
		// Node looks up names on half of these threads, and a name that never resolves occupies one for long.
		env: { UV_THREADPOOL_SIZE: '16', ...process.env },
	})
	standFor(child, complain)
}
