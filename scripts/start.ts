import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { serveRegistry } from '@roundhouse/registry/publisher/serve'
import { ensureBuilt } from './build.ts'
import { fetchElectron } from './electron.ts'
import { built, inCheckout } from './layout.ts'

/** `npm start`: builds what is missing, serves the default registry on loopback, and opens the window. */
process.stdout.write('Building what is missing …\n')
await ensureBuilt()
await fetchElectron()
const registry = await serveRegistry(built.registry)
const fingerprint = (await readFile(inCheckout('dist', 'registry', 'root.sha256'), 'utf8')).trim()
const child = spawn(
	process.execPath,
	[
		'--disable-sigusr1',
		inCheckout('host/bin/roundhouse.mjs'),
		'open',
		'--registry',
		registry.url,
		'--registry-key',
		fingerprint,
	],
	{ stdio: ['inherit', 'inherit', 'inherit', 'ipc'] },
)
// A terminal's Ctrl-C reaches the child as well; a signal to this process alone is forwarded.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal))
child.once('exit', async code => {
	await registry.close()
	process.exit(code ?? 1)
})
