/**
 * Returns a profile for `sandbox-exec`. macOS deprecates that program, but Chromium, Bazel and others still use it. The
 * profile denies by default: network, other programs, signals to other processes. Not tested on macOS yet; the canary
 * decides whether it is used (canary.ts).
 */
export function macosProfile(
	node: string,
	{ read, readWrite }: { readonly read: readonly string[]; readonly readWrite: readonly string[] },
): string {
	const paths = (kind: 'literal' | 'subpath', ...paths: readonly string[]) =>
		paths.map(path => `(${kind} ${quoted(path)})`).join(' ')
	return [
		'(version 1)',
		'(deny default)',
		`(allow process-exec ${paths('literal', node)})`,
		'(allow signal (target self))',
		'(allow sysctl-read)',
		// The dynamic loader, the system's libraries and time zones.
		`(allow file-read* ${paths('subpath', '/usr/lib', '/System/Library', '/private/var/db/timezone')})`,
		`(allow file-read* ${paths('literal', '/', node, '/dev/null', '/dev/urandom', '/private/etc/localtime')})`,
		`(allow file-write-data ${paths('literal', '/dev/null')})`,
		`(allow file-read* ${paths('subpath', ...read, ...readWrite)})`,
		...(readWrite.length > 0 ? [`(allow file-write* ${paths('subpath', ...readWrite)})`] : []),
	].join('\n')
}

/** Returns a string literal of the profile's language (TinyScheme). */
function quoted(path: string): string {
	return `"${path.replace(/["\\]/g, '\\$&')}"`
}
