import Module, { registerHooks } from 'node:module'
import { isAbsolute, relative, resolve } from 'node:path'
import url from 'node:url'

/*
 * The driver's module can replace every method and most that builtins export, so functions are taken now and called by
 * `apply` or by name. `path` is frozen.
 */
const { apply } = Reflect
const { fileURLToPath } = url
const { parse: parseUrl } = URL
const { startsWith } = String.prototype
const { test: matches } = RegExp.prototype
const begins = (text: string, start: string): boolean => apply(startsWith, text, [start])

/** Node's internal step from a request to a file, used by `require` and `require.resolve`. It has no public name. */
interface Resolver {
	_findPath(request: string, paths: readonly string[] | undefined, ...rest: readonly unknown[]): string | false
}

/**
 * Restricts `import` and `require` to modules in these folders. Node's resolution reads the disk without the permission
 * model, so its answers would reveal whether any path exists.
 */
export function restrictModulesTo(folders: readonly string[]): void {
	const isOwn = (path: string) => {
		for (let at = 0; at < folders.length; at++) {
			const way = relative(folders[at] ?? '', path)
			if (!begins(way, '..') && !isAbsolute(way)) return true
		}
		return false
	}
	registerHooks({
		resolve(specifier, context, nextResolve) {
			const path = pathOf(specifier, context.parentURL)
			if (path !== undefined && !isOwn(path)) throw refused(specifier)
			const found = tryTo(() => nextResolve(specifier, context)) ?? notFound(specifier)
			if (begins(found.url, 'file:') && !isOwn(fileURLToPath(found.url))) notFound(specifier)
			return found
		},
	})
	// Node's types do not declare these members.
	const resolver = Module as unknown as Resolver
	const findPath = resolver._findPath
	// Node's implementation reads the disk and caches results in `_pathCache`, so it gets only paths of these folders.
	const findIn = (request: string, path: string, rest: readonly unknown[]) => {
		if (!isOwn(resolve(path, request))) return false
		const found = tryTo(() => apply(findPath, resolver, [request, [path], ...rest]))
		return found && isOwn(found) ? found : false
	}
	resolver._findPath = (request, paths, ...rest) => {
		if (isAbsolute(request)) return findIn(request, '', rest)
		for (let at = 0; paths && at < paths.length; at++) {
			// Read once: a driver's own list can answer differently the second time.
			const found = findIn(request, `${paths[at]}`, rest)
			if (found) return found
		}
		return false
	}
}

/** Returns the path that a specifier names, or `undefined` for a builtin or a package's name. */
function pathOf(specifier: string, parent: string | undefined): string | undefined {
	if (!apply(matches, /^(\.{0,2}\/|\.{1,2}$|file:)/i, [specifier])) return undefined
	const found = apply(parseUrl, URL, [specifier, parent])
	return found?.protocol === 'file:' ? fileURLToPath(found.href) : undefined
}

/** Returns the same error whether the path exists or not. */
function refused(specifier: string): Error {
	const message = `A driver may not load ${specifier}: it may only load modules from its own folder.`
	return Object.assign(new Error(message), { code: 'ERR_ACCESS_DENIED' })
}

/** Returns `undefined` if nothing is found, or if it may not be read, so that a driver cannot distinguish these. */
function tryTo<T>(find: () => T): T | undefined {
	try {
		return find()
	} catch (error) {
		const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
		if (code === 'ERR_ACCESS_DENIED' || code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND') return undefined
		throw error
	}
}

function notFound(specifier: string): never {
	throw Object.assign(new Error(`Cannot find module '${specifier}'`), { code: 'ERR_MODULE_NOT_FOUND' })
}
