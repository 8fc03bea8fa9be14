import { expect, test } from 'vitest'
import { temporarySupport } from '../../../tests/support/support-directory.ts'
import { openSettings, type SettingChange, withSetting } from '../settings.ts'
import { settingMethods } from './settings.ts'

/** Returns the methods on the settings of a new install, and the settings that they changed. */
async function newInstall() {
	await using support = await temporarySupport()
	let { value } = await openSettings(support)
	const changed: SettingChange[] = []
	const methods = settingMethods(() => ({
		settings: () => value,
		change: async change => {
			changed.push(change)
			value = withSetting(value, change)
		},
	}))
	const read = methods['settings.read']
	const write = methods['settings.write']
	// Neither method reads its call.
	const context = {} as Parameters<typeof read.run>[1]
	return {
		changed,
		read: () => read.run({}, context),
		write: async (params: unknown) => write.run(write.params.parse(params), context),
	}
}

test('the window reads the settings that it shows, and no setting that only a file can set', async () => {
	expect(await (await newInstall()).read()).toEqual({
		'mcp.enabled': true,
		'mcp.authentication': true,
		'mcp.alsoAskInWindow': false,
		'mcp.keepStatements': true,
		'mcp.keepReplaced': true,
		'network.proxy': { mode: 'machine' },
		'requests.folder': '',
		'exports.folder': '',
		'exports.asks': true,
	})
})

test('the window writes each setting by its key, with a value of its type', async () => {
	const methods = await newInstall()
	const values = { boolean: false, string: '/srv/shared', object: { mode: 'direct' } } as const
	for (const [key, before] of Object.entries(await methods.read())) {
		const value = values[typeof before as keyof typeof values]
		await methods.write({ key, value })
		expect(methods.changed.at(-1)).toEqual({ key, value })
		expect(await methods.read()).toMatchObject({ [key]: value })
		await expect(methods.write({ key, value: 7 })).rejects.toThrow()
		await expect(methods.write({ key })).rejects.toThrow()
	}
})

test('the window cannot write any other setting', async () => {
	const methods = await newInstall()
	for (const key of ['mcp.port', 'mcp.allowedOrigins', 'ui.port', 'registries', 'enabled', '__proto__', 'toString'])
		await expect(methods.write({ key, value: 1 }), key).rejects.toThrow()
	await expect(methods.write({ key: 'mcp.enabled', value: true, allowedOrigins: ['*'] })).rejects.toThrow()
	expect(methods.changed).toEqual([])
})
