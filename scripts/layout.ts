import { dirname, join } from 'node:path'

/** Where things are in a checkout. */
export const checkout = dirname(import.meta.dirname)
export const inCheckout = (...path: string[]) => join(checkout, ...path)

export const built = {
	host: inCheckout('dist', 'host'),
	ui: inCheckout('dist', 'ui'),
	registry: inCheckout('dist', 'registry'),
	stamp: inCheckout('dist', 'stamp'),
}
