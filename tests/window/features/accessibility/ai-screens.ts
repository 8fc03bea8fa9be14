import { createHash } from 'node:crypto'
import type { Screen, Stage } from './stage.ts'

/** Questions about AI clients and programs. */
export function aiScreens(stage: Stage): readonly Screen[] {
	const { sheet, closeSheet, asked, refuse } = stage
	return [
		{
			name: 'first use of a connection by an AI client',
			show: () => asked('wants to use a connection', 'list_tables', {}),
			leave: async () => {
				await sheet().getByRole('button', { name: 'Allow' }).click()
				await stage.answer()
			},
		},
		{
			name: 'write of an AI client',
			show: () => {
				const query = 'POST /books/_update/1\n{"doc":{"author":{"country":"ZZ"}}}'
				return asked('POST /books/_update/1', 'execute_query', { query })
			},
			leave: refuse,
		},
		{
			name: 'destructive statement of an AI client',
			show: () => asked('It destroys the index', 'confirm_destructive_operation', { query: 'DELETE /books' }),
			leave: refuse,
		},
		{
			name: 'program that asks for a token',
			show: async () => {
				const challenge = createHash('sha256').update('v'.repeat(43)).digest('base64url')
				await stage.window.roundhouse.json(['pair', 'link', `roundhouse://pair?client=Editor&challenge=${challenge}`])
				await sheet().getByText('A program asks for access').waitFor()
			},
		},
		{
			name: 'code for a program',
			show: async () => {
				await sheet().getByRole('button', { name: 'Pair' }).click()
				await sheet().getByText('Give this code to the program').waitFor()
			},
			leave: closeSheet,
		},
	]
}
