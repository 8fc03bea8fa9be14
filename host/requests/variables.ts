import { parameterPlaces, withPlaceholders } from '@roundhouse/kit'
import { z } from 'zod'
import { JsonStore } from '../../base/json-store.ts'
import { requestErrors } from './errors.ts'

const nameSchema = z.string().regex(/^[\p{L}_][\p{L}\p{N}_.-]{0,99}$/u, 'A variable is a word, for example index_name.')
export const valuesSchema = z.record(nameSchema, z.string().max(100_000))
/** The values of one connection, by name. */
export type Values = z.infer<typeof valuesSchema>

const variablesSchema = z.record(z.string(), valuesSchema)
export type VariablesStore = JsonStore<z.infer<typeof variablesSchema>>

/** Values of `{{name}}` in saved requests, for each connection: one file of requests serves all of them. */
export function openVariables(path: string): Promise<VariablesStore> {
	return JsonStore.open(path, variablesSchema, {})
}

/** Removes the values of connections that no longer exist. */
export async function forgetVariablesOf(
	store: VariablesStore,
	isThere: (connection: string) => boolean,
): Promise<void> {
	if (Object.keys(store.value).every(isThere)) return
	await store.update(all => Object.fromEntries(Object.entries(all).filter(([id]) => isThere(id))))
}

/** Returns whether a text contains variables. */
export const hasVariables = (text: string): boolean => text.includes('{{')

/**
 * Returns the text with values filled in.
 * @throws HostError `request/variable_missing`, which lists all names without a value
 */
export function fillIn(text: string, values: Values): string {
	const used = usedValues(text, values)
	return withPlaceholders(text, name => used[name] ?? '')
}

/**
 * Returns the values that a text uses.
 * @throws HostError `request/variable_missing`, which lists all names without a value
 */
export function usedValues(text: string, values: Values): Values {
	const names = [...new Set(parameterPlaces(text).flatMap(({ name }) => name ?? []))]
	const missing = names.filter(name => !Object.hasOwn(values, name)).map(name => `{{${name}}}`)
	if (missing.length > 0) throw requestErrors.make('variable_missing', { names: missing.join(', ') })
	return Object.fromEntries(names.map(name => [name, values[name] ?? '']))
}
