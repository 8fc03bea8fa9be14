import { once } from 'node:events'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { readControl } from '../base/control-file.ts'
import { tryLockSupport } from '../base/host-lock.ts'
import { silentLog } from '../base/log.ts'
import { connectProven } from '../base/proven-socket.ts'
import { temporarySupport } from '../tests/support/support-directory.ts'
import { TestRegistry } from '../tests/support/test-registry.ts'
import { connectToHost } from './api/client.ts'
import { startHost } from './host.ts'

test('a host that stops refuses a command that has just found it, and answers no call with silence', async () => {
	await using support = await temporarySupport()
	await using registry = await TestRegistry.withDriver('export default {}')
	const lock = tryLockSupport(support)
	if (!lock) throw new Error('the directory is in use')
	const options = { support, lock, registry: registry.source, log: silentLog, hasWindow: false }
	const host = await startHost({ ...options, mcpPort: 0, uiPort: 0 })
	const control = await readControl(support)
	if (!control) throw new Error('the host has published no port')
	const { port, key } = control
	await using early = await connectToHost(support)
	await expect(early?.call('app.info', {})).resolves.toMatchObject({ home: support.path })
	const found = await connectProven({ port, path: '/api', secret: key })
	const stopped = host.stop()
	const late = new WebSocket(`ws://127.0.0.1:${port}/api`, {
		headers: { authorization: `Bearer ${key}` },
		createConnection: () => found,
	})
	await expect(once(late, 'open')).rejects.toThrow()
	await stopped
	await expect(early?.call('app.info', {})).rejects.toThrow('The host stopped.')
})
