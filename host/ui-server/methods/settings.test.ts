import { expect, test } from 'vitest'
import { defaultSettings, type McpSettings } from '../../mcp/index.ts'
import { settingMethods } from './settings.ts'

/** The methods on settings that a test can see. */
function methodsOn(settings: McpSettings) {
	const configured: Partial<McpSettings>[] = []
	const methods = settingMethods(() => ({
		settings: () => settings,
		configure: async change => void configured.push(change),
		proxy: () => ({ mode: 'direct' }),
		setProxy: async () => {},
		exportSettings: () => ({ folder: '', asks: true }),
		setExportSettings: async () => {},
		requestsFolder: () => '',
		setRequestsFolder: async () => {},
	}))
	const read = methods['settings.read']
	const write = methods['settings.write']
	// Neither looks at its call.
	const context = {} as Parameters<typeof read.run>[1]
	return {
		configured,
		read: () => read.run({}, context),
		write: async (params: unknown) => write.run(write.params.parse(params), context),
	}
}

test('the window reads the settings that it shows, and none that only a file sets', async () => {
	const settings = await methodsOn({ ...defaultSettings, authentication: false }).read()
	expect(settings).toEqual({
		enabled: defaultSettings.enabled,
		authentication: false,
		alsoAskInWindow: defaultSettings.alsoAskInWindow,
	})
})

test('each of them is written by its key, with a value of its own kind', async () => {
	const methods = methodsOn(defaultSettings)
	for (const key of Object.keys(await methods.read())) {
		await methods.write({ key, value: false })
		expect(methods.configured.at(-1)).toEqual({ [key]: false })
		await expect(methods.write({ key, value: 'no' })).rejects.toThrow()
		await expect(methods.write({ key })).rejects.toThrow()
	}
})

test('no other setting can be written from the window', async () => {
	const methods = methodsOn(defaultSettings)
	for (const [key, value] of Object.entries({ ...defaultSettings, port: 1, __proto__: true, toString: true })) {
		if (key in (await methods.read())) continue
		await expect(methods.write({ key, value }), key).rejects.toThrow()
	}
	await expect(methods.write({ key: 'enabled', value: true, allowedOrigins: ['*'] })).rejects.toThrow()
	expect(methods.configured).toEqual([])
})
