import { spawn } from 'node:child_process'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../support/process.ts'
import { Roundhouse } from '../support/roundhouse.ts'

test('serve reports when it is ready, and a signal stops it with exit 0 and leaves no process running', async () => {
	await using roundhouse = await Roundhouse.make()
	const ready = await roundhouse.serve()
	expect(ready).toMatchObject({ ready: true, home: roundhouse.home, mcp: { port: expect.any(Number) } })
	const id = await roundhouse.addSample()
	for (const named of [id, 'Sample', 'sample'])
		expect(await roundhouse.json(['connection', 'test', named])).toMatchObject({ ok: true })
	const children = await run('ps', ['-o', 'pid=', '--ppid', String(ready.pid)])
	const drivers = children.trim().split(/\s+/).map(Number)
	expect(drivers.length).toBeGreaterThan(0)

	expect(await roundhouse.stop('SIGTERM')).toBe(0)
	for (const pid of drivers) expect(() => process.kill(pid, 0), `driver ${pid} is gone`).toThrow()
	const left = await readdir(roundhouse.home)
	for (const name of ['mcp-handshake.json', 'control.json', 'lock']) expect(left).not.toContain(name)
})

test('a second host on the same support directory is refused', async () => {
	await using roundhouse = await Roundhouse.make()
	await roundhouse.serve()
	const { code, stderr } = await roundhouse.run(['serve'])
	expect(code).toBe(1)
	expect(stderr).toContain('Another Roundhouse')
})

test('files of a killed host do not block the next host', async () => {
	await using roundhouse = await Roundhouse.make()
	await roundhouse.serve()
	await roundhouse.stop('SIGKILL')
	expect(await roundhouse.serve()).toMatchObject({ ready: true })
})

test('no other user can access the support directory', async () => {
	await using roundhouse = await Roundhouse.make()
	await roundhouse.serve()
	for (const name of ['.', ...(await readdir(roundhouse.home))]) {
		expect((await stat(`${roundhouse.home}/${name}`)).mode & 0o077, name).toBe(0)
	}
})

test('npm start without Electron and without a display prints an address for one browser, serves, and stops on Ctrl-C', async () => {
	await using roundhouse = await Roundhouse.make()
	const { DISPLAY: _, WAYLAND_DISPLAY: __, ROUNDHOUSE_WINDOW: ___, ...environment } = roundhouse.environment
	const start = spawn('npm', ['start'], { env: { ...environment, CI: 'true' }, detached: true })
	let output = ''
	const address = await new Promise<string>((resolve, reject) => {
		start.stdout.on('data', chunk => {
			output += chunk
			const found = /http:\/\/127\.0\.0\.1:\d+\/\S+\/enter\?ticket=\S+/.exec(output)?.[0]
			if (found && output.includes('Press Ctrl-C to stop')) resolve(found)
		})
		start.once('exit', () => reject(new Error(`npm start ended: ${output}`)))
	})
	const { key } = JSON.parse(await readFile(join(roundhouse.home, 'control.json'), 'utf8'))
	expect(output).not.toContain(key)
	expect(output).toMatch(/http:\/\/\w+\.localhost:\d+\//)
	expect((await fetch(address)).status).toBe(200)
	expect((await fetch(address)).status).toBe(403)
	// A terminal sends Ctrl-C to the whole group, and npm exits immediately.
	process.kill(-(start.pid ?? 0), 'SIGINT')
	await expect
		.poll(
			() =>
				fetch(address).then(
					() => 'serves',
					() => 'stopped',
				),
			{ timeout: 10_000 },
		)
		.toBe('stopped')
	await expect.poll(() => readdir(roundhouse.home)).not.toContain('lock')
	expect(await readdir(roundhouse.home)).not.toContain('mcp-handshake.json')
})
