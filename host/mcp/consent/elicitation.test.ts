import { expect, test } from 'vitest'
import { elicitation } from './elicitation.ts'

const question = {
	...({ statement: 'do $$ … $$', shown: 'do $$ … $$', summary: 'do', access: 'destructive' } as const),
	connection: { id: '1', name: 'Books', driverId: 'postgres' },
} as const

test('a destructive statement whose text does not show it has the reason of the driver', () => {
	const { message } = elicitation({ ...question, reason: 'The block can do anything.' }, question.statement).params
	expect(message).toMatch(
		/^It destroys data\. The driver says: «The block can do anything\.» This cannot be undone\. Run this on "Books"\?/,
	)
})
