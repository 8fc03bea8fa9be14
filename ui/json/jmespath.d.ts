/** The part of jmespath that the window uses. The package has no types. */
declare module 'jmespath' {
	/** @throws Error if the expression is invalid or does not fit its input, for example `abs('a')` */
	export function search(data: unknown, expression: string): unknown
}
