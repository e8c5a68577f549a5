import { useEffect, useRef } from 'preact/hooks';

const MAX_TEXT_LENGTH = 255;

/** The field for the text by which a record is found. `onRepeat`: the same text is searched again. */
export function SearchField({ view, text, onRepeat }: { view: string; text: string; onRepeat: () => void }) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement)
        return;
      event.preventDefault();
      field.current?.focus();
    };
    addEventListener('keydown', focus);
    return () => removeEventListener('keydown', focus);
  }, []);
  const submit = (event: Event) => {
    event.preventDefault();
    const next = field.current!.value.trim();
    if (next === text) onRepeat();
    else location.hash = `#/${view}/${encodeURIComponent(next)}`;
  };
  return (
    <form class="search" role="search" onSubmit={submit}>
      <label for="text">Name, handle, sku or id of a record, or id of a delivery</label>
      <div class="row">
        <input
          id="text"
          ref={field}
          key={text}
          defaultValue={text}
          maxLength={MAX_TEXT_LENGTH}
          autocomplete="off"
          spellcheck={false}
          autofocus
        />
        <button type="submit">Find</button>
      </div>
      <p class="hint">
        Press <kbd>/</kbd> to come back to this field.
      </p>
    </form>
  );
}
