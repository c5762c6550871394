/** The kernel's custom events, as JSX props. */
import 'preact';

declare module 'preact' {
  interface PreactDOMAttributes {
    onHold?: ((e: CustomEvent) => void) | undefined;
    onSlide?: ((e: CustomEvent<{ fx: number; fy: number }>) => void) | undefined;
    onSwipe?: ((e: CustomEvent<{ direction: 'left' | 'right' | 'up' | 'down' }>) => void) | undefined;
  }
}
