import type { FormField, Settings, SettingValue } from './manifest.ts'

/** What a field of the form shows: what was typed, else its default, else what is empty for its kind. */
export function shownValue(form: readonly FormField[], settings: Settings, key: string): SettingValue {
	const field = form.find(field => field.key === key)
	const typed = settings[key]
	if (typed !== undefined && typed !== '') return typed
	return field?.default ?? (field?.type === 'switch' ? false : '')
}

/** Whether a person is shown the field, with these values in the others. */
export function isShown(form: readonly FormField[], settings: Settings, { visibleWhen = [] }: FormField): boolean {
	return [visibleWhen].flat().every(({ field, is }) => is.includes(shownValue(form, settings, field)))
}
