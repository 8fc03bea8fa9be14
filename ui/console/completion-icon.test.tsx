import { expect, test } from 'vitest'
import { completionIcon } from './completion-icon.ts'

const pictureOf = (type: string, label: string) => {
	const icon = completionIcon({ type, label })
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
