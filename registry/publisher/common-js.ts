/**
 * Code that defines `require`, `__filename` and `__dirname` in an ES module. Bundled CommonJS dependencies expect these
 * names. `createRequire` is imported under another name, because a bundle may import `createRequire` itself.
 */
export const commonJsBanner = [
	"import { createRequire as requireFrom } from 'node:module'",
	'const require = requireFrom(import.meta.url)',
	'const { filename: __filename, dirname: __dirname } = import.meta;',
].join('; ')
