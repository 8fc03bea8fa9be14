import type { FormField, Settings, SettingValue } from './manifest.ts'

/** Returns the value that a form field shows: the typed value, else the default, else the empty value of its kind. */
export function shownValue(form: readonly FormField[], settings: Settings, key: string): SettingValue {
	const field = form.find(field => field.key === key)
	const typed = settings[key]
	if (typed !== undefined && typed !== '') return typed
	return field?.default ?? (field?.type === 'switch' ? false : '')
}

/** Field types whose value is read from the disk or stored as a secret. Only the user fills them. */
const filledByUser: ReadonlySet<FormField['type']> = new Set(['file', 'folder', 'secret'])

/**
 * Returns whether the value of a `file` field is the text itself, for example a pasted certificate or key, instead of a
 * path.
 */
export function isFileText({ type, access }: FormField, value: unknown): value is string {
	return type === 'file' && access === undefined && typeof value === 'string' && /[\r\n]|-----BEGIN /.test(value)
}

/** Returns the settings that a driver's sample may supply: those of plain fields of the form. */
export function plainSettings(form: readonly FormField[], settings: Settings): Settings {
	const plain = new Set(form.filter(({ type }) => !filledByUser.has(type)).map(({ key }) => key))
	return Object.fromEntries(Object.entries(settings).filter(([key]) => plain.has(key)))
}

/**
 * Adds the default of each visible plain field that the user did not change. Stored with the connection, so that a
 * later release cannot change the default.
 */
export function withShownDefaults(form: readonly FormField[], settings: Settings): Settings {
	const defaults = form.flatMap(field =>
		field.default !== undefined && !filledByUser.has(field.type) && isShown(form, settings, field)
			? [[field.key, shownValue(form, settings, field.key)] as const]
			: [],
	)
	return { ...settings, ...Object.fromEntries(defaults) }
}

/** Returns whether the form shows the field, given the values of the other fields. */
export function isShown(form: readonly FormField[], settings: Settings, { visibleWhen = [] }: FormField): boolean {
	return [visibleWhen].flat().every(({ field, is }) => is.includes(shownValue(form, settings, field)))
}
