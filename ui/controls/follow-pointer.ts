/**
 * Reports pointer positions until the button is released, anywhere in the window. Returns a function that ends it
 * earlier.
 */
export function followPointer(onMove: (event: MouseEvent) => void): () => void {
	const move = (event: MouseEvent) => (event.buttons === 0 ? stop() : onMove(event))
	function stop(): void {
		removeEventListener('mousemove', move)
		removeEventListener('mouseup', stop)
	}
	addEventListener('mousemove', move)
	addEventListener('mouseup', stop)
	return stop
}
