/**
 * What CommonJS dependencies find around them in a bundle of modules. Only `require` and the two names of the file are taken: a
 * bundle may well import `createRequire` itself.
 */
export const commonJsBanner = [
	"import { createRequire as requireFrom } from 'node:module'",
	'const require = requireFrom(import.meta.url)',
	'const { filename: __filename, dirname: __dirname } = import.meta;',
].join('; ')
