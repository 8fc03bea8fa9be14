import { expect, test } from 'vitest'
import type { SavedConnection } from '../connections/connection-fields.ts'
import { assertMayWrite } from './safe-mode.ts'

const refusal = (guard: Pick<SavedConnection, 'safeMode' | 'isProduction'>, write: object) => {
	const connection = { name: 'Shop', ...guard } as SavedConnection
	try {
		assertMayWrite(connection, {
			access: 'destructive',
			name: 'Shop',
			typed: undefined,
			wasShown: () => false,
			...write,
		})
		return 'sent'
	} catch (error) {
		return (error as { code: string }).code
	}
}

test.each([
	['free', false, { access: 'write' }, 'sent'],
	['free', false, {}, 'write/not_shown'],
	['free', false, { isOpaque: true }, 'sent'],
	['free', false, { isSelective: true }, 'sent'],
	['free', false, { isUndone: true }, 'sent'],
	['ask', false, { isOpaque: true }, 'write/not_shown'],
	['ask', false, { isSelective: true }, 'write/not_shown'],
	['ask', false, { isUndone: true }, 'write/not_shown'],
	['read-only', false, { isUndone: true }, 'write/read_only'],
	['free', true, { isUndone: true, typed: 'Shop' }, 'write/not_shown'],
	['ask', false, { access: 'write' }, 'write/not_shown'],
	['read-only', false, { isOpaque: true }, 'write/read_only'],
	['read-only', false, { access: 'read' }, 'sent'],
	['free', true, { isOpaque: true }, 'write/name_needed'],
	['free', true, { isSelective: true }, 'write/name_needed'],
	['free', true, { isOpaque: true, typed: 'Shop' }, 'write/not_shown'],
	['free', true, { typed: 'Shop', wasShown: () => true }, 'sent'],
] as const)('the mode %s, in production %s: %j is %s', (safeMode, isProduction, write, expected) => {
	expect(refusal({ safeMode, isProduction }, write)).toBe(expected)
})
