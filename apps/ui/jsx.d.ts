/** The kernel's custom events, as JSX props. */
import 'preact';

declare module 'preact' {
  namespace JSX {
    interface HTMLAttributes {
      onHold?: (e: CustomEvent) => void;
      onSlide?: (e: CustomEvent<{ fx: number; fy: number }>) => void;
      onSwipe?: (e: CustomEvent<{ direction: 'left' | 'right' | 'up' | 'down' }>) => void;
      onSubmit?: (e: Event) => void;
    }
  }
}
