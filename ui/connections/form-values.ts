import type { FormField, Manifest, Settings, SettingValue } from '../../host/api/api.ts'

/** Pure functions over a driver's form: visible fields, missing values, values to save. */

/** A form, of a manifest or of an action. */
interface Form {
	readonly form: readonly FormField[]
}

export function initialValues(manifest: Form, saved: Settings = {}): Record<string, SettingValue> {
	const values: Record<string, SettingValue> = {}
	for (const field of manifest.form) {
		const value = saved[field.key] ?? field.default ?? (field.type === 'switch' ? false : '')
		values[field.key] = value
	}
	return values
}

export function isVisible(field: FormField, values: Settings): boolean {
	const conditions = field.visibleWhen === undefined ? [] : [field.visibleWhen].flat()
	return conditions.every(condition => condition.is.includes(values[condition.field] ?? ''))
}

/** Returns the form's sections in order, each with its visible fields. */
export function sections(
	manifest: Manifest,
	values: Settings,
): readonly { readonly name: string; readonly fields: readonly FormField[] }[] {
	const names = [...new Set(manifest.form.map(field => field.section))]
	return names
		.map(name => ({ name, fields: manifest.form.filter(field => field.section === name && isVisible(field, values)) }))
		.filter(section => section.fields.length > 0)
}

/** Returns what is wrong with a value, for the user, or `undefined`. */
export function valueError(field: FormField, value: SettingValue): string | undefined {
	if (field.required && value === '') return `${field.label} is required.`
	if (field.type === 'number' && value !== '' && !Number.isFinite(Number(value)))
		return `${field.label} must be a number.`
	return undefined
}

/**
 * Returns the values to save: visible fields with a value. An untouched secret is left out, so the stored one stays.
 */
export function settingsOf(manifest: Form, values: Settings): Settings {
	const settings: Record<string, SettingValue> = {}
	for (const field of manifest.form) {
		const value = values[field.key]
		if (value === undefined || value === '' || !isVisible(field, values)) continue
		settings[field.key] = field.type === 'number' ? Number(value) : value
	}
	return settings
}
