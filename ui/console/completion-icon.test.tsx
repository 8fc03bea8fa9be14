import { expect, test } from 'vitest'
import { completionIcon } from './completion-icon.ts'

const pictureOf = (type: string, label: string, detail?: string) => {
	const icon = completionIcon({ type, label, ...(detail !== undefined && { detail }) })
	return icon instanceof Element ? icon.querySelector('svg')?.classList.toString() : undefined
}

test.each([
	['table', 'shop.customers', 'table-2'],
	['table', 'shop.customers on o.customer_id = customers.id', 'link-2'],
	['keyword certain', 'c.id = o.customer_id', 'link-2'],
	['column', 'id', 'columns-3'],
])('a %s that reads %s has the picture %s', (type, label, picture) => {
	expect(pictureOf(type, label)).toContain(picture)
})

test.each([
	['numeric(10,2)', 'hash'],
	['timestamptz', 'calendar'],
	['keyword', 'type'],
	['long', 'hash'],
	['geo_point', 'shapes'],
])('a column of the type %s has the picture %s', (detail, picture) => {
	expect(pictureOf('column', 'a', detail)).toContain(picture)
})
