import { writeFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { tryLockSupport } from '../../../base/host-lock.ts'
import { silentLog } from '../../../base/log.ts'
import { type Host, startHost } from '../../../host/host.ts'
import { MachinePolicy } from '../../../host/policy/machine-policy.ts'
import { openBrowser, openPage } from '../../support/browser.ts'
import { builtRegistry } from '../../support/registry.ts'
import { temporarySupport } from '../../support/support-directory.ts'

/** A host in the test's process, because no setting from outside changes the path of the policy. */
let started: AsyncDisposableStack
let host: Host
let file: string
beforeEach(async () => {
	started = new AsyncDisposableStack()
	const support = started.use(await temporarySupport())
	file = support.file('policy-of-the-machine.json')
	await writeFile(file, JSON.stringify({ version: 1, drivers: { other: '^1' }, aiAccess: false }))
	const lock = tryLockSupport(support)
	if (!lock) throw new Error('the lock of an empty folder is held')
	const { folder, fingerprint } = await builtRegistry()
	const registry = { url: pathToFileURL(folder).href, fingerprint }
	const policy = await MachinePolicy.read(file)
	host = await startHost({ support, lock, registry, policy, log: silentLog, mcpPort: 0, uiPort: 0 })
	started.defer(() => host.stop())
})
afterEach(() => started.disposeAsync())

test('the window shows what the machine policy refuses, with the path of its file', async () => {
	const browser = await openBrowser()
	started.defer(() => browser.close())
	const page = await openPage(browser, { enter: async () => host.entry() }, [])
	await page.getByRole('button', { name: 'Settings' }).click()
	await page.getByRole('tab', { name: 'Plugins' }).click()
	const plugin = page.getByRole('listitem').filter({ hasText: 'Elasticsearch' })
	await plugin.getByText(`${file}, does not allow the driver search-engine`).waitFor()
	expect(await plugin.getByRole('button', { name: 'Install' }).isDisabled()).toBe(true)
	await page.getByRole('tab', { name: 'AI access' }).click()
	await page.getByText(`${file}, switches off AI access`).waitFor()

	const answer = await fetch(host.info.mcp.url, {
		method: 'POST',
		headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
		body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
	})
	expect(answer.status).toBe(503)
	expect(await answer.json()).toMatchObject({ error: { code: -33006, message: expect.stringContaining(file) } })
})
