import { expect, test } from 'vitest'
import { parseIcon } from './icon.ts'

const inSvg = (content: string) => `<svg xmlns="http://www.w3.org/2000/svg">${content}</svg>`

test.each([
	[
		'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="currentColor"><path d="M3 6h11"/></svg>',
	],
	[inSvg('<title>It’s an icon</title><g transform="translate(1,-2) rotate(45)"><rect x="1" y="-2.5e1"/></g>')],
])('%s stays as it is', icon => {
	expect(parseIcon(icon)).toBe(icon)
})

test('quotes and white space are written again', () => {
	expect(parseIcon("<svg\n fill = 'none' >\n\t<g ></g>\n</svg >")).toBe('<svg fill="none"><g></g></svg>')
})
