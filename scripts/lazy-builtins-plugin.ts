import type { Plugin } from 'esbuild'

/**
 * Node's own modules by `process.getBuiltinModule` in place of `import`, where that is much cheaper: an import of `node:http`
 * reads all that it exports, and among that is a getter that loads Node's whole web client (60 ms of each command's start).
 */
export const lazyBuiltins: Plugin = {
	name: 'lazy-builtins',
	setup(build) {
		build.onResolve({ filter: /^(node:)?(http|https|http2)$/ }, ({ path, kind }) =>
			kind === 'import-statement' ? { path: path.replace('node:', ''), namespace: 'lazy-builtins' } : undefined,
		)
		build.onLoad({ filter: /.*/, namespace: 'lazy-builtins' }, ({ path }) => ({
			contents: `module.exports = process.getBuiltinModule('node:${path}')`,
		}))
	},
}
