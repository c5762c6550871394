/** The page: mounts the phone, and renders it whole after every change. */
import { render } from 'preact';
import { install } from './kernel/api';
import { follow, listenFields } from './kernel/field';
import { byHand } from './kernel/hand';
import { listen } from './kernel/pointer';
import { getState, subscribe } from './kernel/store';
import { Phone } from './shell/phone';
import './installed';
import './ui/tokens.css';
import './ui/kit.css';
import './shell/shell.css';

declare const BUILD: string;

const root = document.getElementById('phone') as HTMLElement;
let rendering = false;

function draw(): void {
  if (rendering) return; // follow() may change the state: the loop below takes it up
  rendering = true;
  try {
    for (let last = null as unknown; last !== getState(); ) {
      last = getState();
      render(<Phone phone={getState()} />, root);
      follow(root);
    }
  } catch (error) {
    render(null, root); // half of a failed drawing must not be built upon
    throw error;
  } finally {
    rendering = false;
  }
}

subscribe(draw);
listen(root);
listenFields(root);
const api = install(root, BUILD);

if (new URLSearchParams(location.search).has('hand')) {
  void fetch('demo.json')
    .then((r) => r.text())
    .then((text) => {
      api.restore(text);
      byHand(root);
    });
}
