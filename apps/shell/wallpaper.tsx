/** The picture behind the launcher: dusk over hills. Its colours are tokens, so dark mode turns it to night. */
export function Wallpaper() {
  return (
    <svg class="wallpaper" viewBox="0 0 360 800" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      <defs>
        <linearGradient id="sky" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stop-color="var(--sky-1)" />
          <stop offset="0.45" stop-color="var(--sky-2)" />
          <stop offset="0.8" stop-color="var(--sky-3)" />
        </linearGradient>
      </defs>
      <rect width="360" height="800" fill="url(#sky)" />
      <circle cx="268" cy="500" r="150" fill="var(--sun)" opacity="0.10" />
      <circle cx="268" cy="500" r="92" fill="var(--sun)" opacity="0.14" />
      <circle cx="268" cy="500" r="44" fill="var(--sun)" opacity="0.75" />
      <path d="M0 560C60 500 110 520 160 556S270 470 360 540V800H0z" fill="var(--hill-1)" />
      <path d="M0 640C70 570 130 610 200 640S300 580 360 616V800H0z" fill="var(--hill-2)" />
      <path d="M0 706C90 650 150 720 230 700S320 664 360 680V800H0z" fill="var(--hill-3)" />
    </svg>
  );
}
