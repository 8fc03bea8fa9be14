import { z } from 'zod'
import { JsonStore } from '../../base/json-store.ts'
import {
	fileSetting,
	newInstallOf,
	type Setting,
	sectionSchema,
	type ValuesOf,
	type WindowSetting,
	windowSetting,
} from '../../base/setting.ts'
import type { SupportDirectory } from '../../base/support-directory.ts'
import { mcpSettings } from '../mcp/index.ts'
import { type ProxySetting, proxySettingSchema } from '../network/proxy.ts'

const path = z.string().trim().max(4_000)

/** All settings of `settings.json` but the registries, by section. A new setting is one row here or in `mcpSettings`. */
const sections = {
	mcp: mcpSettings,
	ui: { port: fileSetting({ schema: z.int().min(0).max(65535), default: 0 }) },
	network: {
		/** How drivers, and the host for their registries, connect (host/network/proxy.ts). */
		proxy: windowSetting<ProxySetting>({ schema: proxySettingSchema, default: { mode: 'machine' } }),
	},
	requests: {
		/** Saved requests that all connections share, for example in a Git repository; empty for none. */
		folder: windowSetting({ schema: path, default: '' }),
	},
	exports: {
		/** The real path of the one folder that AI clients may export to; empty for none. */
		folder: windowSetting({ schema: path, default: '', narrowsAccess: folder => folder === '' }),
		/** Whether the user is asked before each export. */
		asks: windowSetting({ schema: z.boolean(), default: true, narrowsAccess: asks => asks }),
	},
}
type Sections = typeof sections

/** Registries beside the default one, each with the fingerprint of its first root. */
const registriesSchema = z.array(z.object({ url: z.string(), fingerprint: z.string() })).default([])

const { mcp, ui, network, requests, exports } = sections
const settingsSchema = z.object({
	mcp: sectionSchema(mcp),
	ui: sectionSchema(ui),
	network: sectionSchema(network),
	requests: sectionSchema(requests),
	exports: sectionSchema(exports),
	registries: registriesSchema,
})
export type HostSettings = z.output<typeof settingsSchema>

export function openSettings(support: SupportDirectory): Promise<JsonStore<HostSettings>> {
	const newInstall = Object.fromEntries(Object.entries(sections).map(([name, rows]) => [name, newInstallOf(rows)]))
	return JsonStore.open(support.file('settings.json'), settingsSchema, settingsSchema.parse(newInstall))
}

type Name<S extends keyof Sections> = keyof Sections[S] & string
type KeysOf<S extends keyof Sections> = {
	[N in Name<S>]: Sections[S][N] extends { readonly isInWindow: true } ? `${S}.${N}` : never
}[Name<S>]
/** `section.name` of a setting that the window changes. */
type SettingKey = { [S in keyof Sections]: KeysOf<S> }[keyof Sections]
type ValueOf<K extends SettingKey> = K extends `${infer S extends keyof Sections}.${infer N}`
	? ValuesOf<Sections[S]>[N & keyof Sections[S]]
	: never

/** The settings of the window, flat. */
export type WindowSettings = { readonly [K in SettingKey]: ValueOf<K> }

/** One setting with its new value. */
export type SettingChange = { [K in SettingKey]: { readonly key: K; readonly value: ValueOf<K> } }[SettingKey]

const windowRows = Object.entries(sections).flatMap(([section, rows]) =>
	Object.entries<Setting<unknown>>(rows).flatMap(([name, row]) =>
		'isInWindow' in row ? [{ key: `${section}.${name}`, section, name, row: row as WindowSetting<unknown> }] : [],
	),
)
/** Pairs each key with the values of its row, which TypeScript does not follow through the entries. */
export const settingChangeSchema = z.union(
	windowRows.map(({ key, row }) => z.strictObject({ key: z.literal(key), value: row.schema })),
) as z.ZodType<unknown> as z.ZodType<SettingChange>

export function windowSettingsOf(settings: HostSettings): WindowSettings {
	const values: Readonly<Record<string, Readonly<Record<string, unknown>>>> = { ...settings, registries: {} }
	const flat = windowRows.map(({ key, section, name }) => [key, values[section]?.[name]])
	return Object.fromEntries(flat) as WindowSettings
}

export function withSetting(settings: HostSettings, { key, value }: SettingChange): HostSettings {
	const [section, name] = key.split('.') as [keyof Sections, string]
	return { ...settings, [section]: { ...settings[section], [name]: value } }
}

/** Whether a change only takes away from what AI clients may do. */
export function narrowsAccess({ key, value }: SettingChange): boolean {
	return windowRows.find(row => row.key === key)?.row.narrowsAccess?.(value) ?? false
}
