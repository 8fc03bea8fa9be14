import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isRunning } from '../support/process.ts'
import { Roundhouse } from '../support/roundhouse.ts'

test('a host whose launcher is killed stops, and releases its lock', async () => {
	await using roundhouse = await Roundhouse.make()
	const launcher = roundhouse.spawn(['serve', '--mcp-port', '0', '--ui-port', '0'], { isLaunched: true })
	const [line] = await once(launcher.stdout ?? launcher, 'data')
	const { pid } = JSON.parse(String(line))
	launcher.kill('SIGKILL')
	await expect.poll(() => isRunning(pid)).toBe(false)
	expect(existsSync(join(roundhouse.home, 'mcp-handshake.json'))).toBe(false)
	const again = await roundhouse.serve()
	expect(again.pid).not.toBe(pid)
})

test('the launcher passes on the exit code and output of a command', async () => {
	await using roundhouse = await Roundhouse.make()
	const child = roundhouse.spawn(['token', 'revoke', 'unknown'], { isLaunched: true })
	let said = ''
	child.stderr?.on('data', data => {
		said += data
	})
	expect((await once(child, 'exit'))[0]).toBe(1)
	expect(said).toMatch(/^roundhouse: /)
})
