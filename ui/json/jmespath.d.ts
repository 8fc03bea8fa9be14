/** What the window uses of jmespath, which brings no types. */
declare module 'jmespath' {
	/** @throws Error where the expression cannot be read, or fits what it is asked of as little as `abs('a')`. */
	export function search(data: unknown, expression: string): unknown
}
