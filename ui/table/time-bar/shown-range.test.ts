import { expect, test } from 'vitest'
import type { Column } from '../../../host/api/api.ts'
import { inClock, shownRange } from './shown-range.ts'

const date = (name: string, changes: Partial<Column> = {}): Column => ({
	name,
	type: 'date',
	kind: 'date',
	isKey: false,
	isReadOnly: false,
	isSortable: true,
	...changes,
})

test('days are those of the engine until the user chooses, and dates without a zone have none', () => {
	const dates = [date('at'), date('day', { zone: 'none' })]
	const zone = 'Europe/Budapest'
	expect(shownRange(undefined, dates, zone)).toMatchObject({ column: 'at', clock: zone })
	expect(shownRange(undefined, dates)).toMatchObject({ column: 'at', clock: 'utc' })
	const chosen = { column: 'at', clock: 'utc', span: 'this day', from: '', to: '' } as const
	expect(shownRange(chosen, dates, zone)).toEqual(chosen)
	const plain = { ...chosen, column: 'day', clock: zone }
	expect(shownRange(plain, dates, zone)).toEqual({ ...plain, clock: 'utc' })
	expect(inClock(plain, dates)).toEqual({ ...plain, clock: 'utc' })
	expect(shownRange({ ...plain, column: 'gone' }, dates, zone)).toEqual({ ...plain, column: 'gone' })
})
