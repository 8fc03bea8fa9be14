#!/usr/bin/env node
// The launcher of a checkout: runs the command line under the pinned Node, after building what is missing.
import { spawn } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const self = realpathSync(fileURLToPath(import.meta.url))
const checkout = dirname(dirname(dirname(self)))
const windows = process.platform === 'win32'
const pinnedNode = join(checkout, 'node_modules', 'node', 'bin', windows ? 'node.exe' : 'node')

if (Number.parseInt(process.versions.node, 10) < 24) {
	const child = spawn(pinnedNode, [self, ...process.argv.slice(2)], { stdio: 'inherit' })
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
	child.on('error', error => {
		process.stderr.write(`roundhouse: the pinned Node is missing (${error.code}). Run: npm ci\n`)
		process.exit(1)
	})
	child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
} else {
	const { ensureBuilt } = await import('../../scripts/build.ts')
	await ensureBuilt()
	const { main } = await import('../../dist/host/main.js')
	process.exitCode = await main(process.argv.slice(2), { checkout, launcher: self })
}
