import { type ChildProcess, spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { buildAll } from './build.ts'
import { inCheckout } from './layout.ts'

/** `npm run dev`: builds and restarts the host when a source changes. `roundhouse open` shows it. */
let host: ChildProcess | undefined
let timer: NodeJS.Timeout | undefined

async function restart(): Promise<void> {
	try {
		await buildAll()
	} catch {
		return // esbuild has said what is wrong; the next change tries again.
	}
	host?.kill('SIGTERM')
	if (host) await new Promise(resolve => host?.once('exit', resolve))
	host = spawn(process.execPath, ['--disable-sigusr1', inCheckout('host/bin/roundhouse.mjs'), 'serve'], {
		stdio: 'inherit',
	})
}

for (const room of ['base', 'host', 'plugins', 'registry', 'ui']) {
	watch(inCheckout(room), { recursive: true }, (_event, name) => {
		if (!name || /node_modules|generated|\.keys|\.local|\.test\./.test(name)) return
		clearTimeout(timer)
		timer = setTimeout(() => void restart(), 150)
	})
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
	process.on(signal, () => {
		host?.kill(signal)
		process.exit(0)
	})
}
await restart()
