import { dirname, join } from 'node:path'

/** Paths in a checkout. */
export const checkout = dirname(import.meta.dirname)
export const inCheckout = (...path: string[]) => join(checkout, ...path)

export const built = {
	host: inCheckout('dist', 'host'),
	ui: inCheckout('dist', 'ui'),
	apps: inCheckout('dist', 'apps'),
	registry: inCheckout('dist', 'registry'),
	templates: inCheckout('dist', 'templates'),
	stamp: inCheckout('dist', 'stamp'),
}
