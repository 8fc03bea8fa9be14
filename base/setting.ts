import { z } from 'zod'

/**
 * One setting: the schema of its value in `settings.json`, and the default if the file does not contain the setting.
 */
export interface Setting<T> {
	readonly schema: z.ZodType<T>
	readonly default: T
	/** The value that is written to `settings.json` on a new installation, if it differs from the default. */
	readonly newInstall?: T
}

/** A setting that the window shows and changes. */
export interface WindowSetting<T> extends Setting<T> {
	readonly isInWindow: true
	/** Returns whether a value only restricts what AI clients may do. Such a value takes effect before it is written. */
	readonly narrowsAccess?: (value: T) => boolean
}

/** Settings of one section of `settings.json`, by name. */
type Section = Readonly<Record<string, Setting<unknown>>>

export type ValuesOf<S> = { readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : never }

/** Declares a setting that can be changed only in the file. */
export const fileSetting = <T>(row: Setting<T>): Setting<T> => row

/** Declares a setting that the window changes. */
export const windowSetting = <T>(row: Omit<WindowSetting<T>, 'isInWindow'>): WindowSetting<T> => ({
	...row,
	isInWindow: true,
})

/** Returns the schema of a section. Settings that are missing in the file get their defaults. */
export function sectionSchema<S extends Section>(section: S): z.ZodType<ValuesOf<S>> {
	const fields = Object.entries(section).map(([name, row]) => [name, row.schema.default(row.default)] as const)
	// `Object.entries` and `Object.fromEntries` lose the type of each setting.
	return z.object(Object.fromEntries(fields)).prefault({}) as z.ZodType<unknown> as z.ZodType<ValuesOf<S>>
}

/** Returns the values of a section for a new installation. */
export function newInstallOf<S extends Section>(section: S): ValuesOf<S> {
	const values = Object.entries(section).map(([name, row]) => [name, row.newInstall ?? row.default] as const)
	return Object.fromEntries(values) as ValuesOf<S>
}
