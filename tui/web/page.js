// What the page adds to textual-serve's terminal: keys without a click, downloads without a tab of their own, and why it ended.
"use strict";
(() => {
  const body = document.body, over = document.getElementById("over");

  const focus = () => {  // the terminal sends what it gets, so not before there is a connection, nor after
    if (body.classList.contains("-first-byte") && !body.classList.contains("-closed"))
      document.querySelector(".xterm-helper-textarea")?.focus();
  };
  addEventListener("focus", focus);

  const open = window.open.bind(window);
  window.open = (address, where) => {
    const to = new URL(address, location.href);
    if (to.origin === location.origin && to.pathname.startsWith("/download/")) {
      const link = document.createElement("a");
      link.href = to.href;
      link.download = "";
      link.click();
      return null;
    }
    return open(address, where, "noopener");
  };

  const say = (text, again) => {
    over.querySelector("span").textContent = text;
    over.querySelector("a").hidden = !again;
    over.querySelector("a").focus();
  };
  const ended = async () => {
    try {
      const answer = await fetch("/pages", {cache: "no-store"});
      if (answer.status === 403) {
        say("This server was started anew: open the address that it printed.", false);
        return;
      }
      const {open: count, most} = await answer.json();
      if (!body.classList.contains("-first-byte") && count >= most)
        say(`${most} pages are open already, which is as many as there can be: close one.`, true);
      else
        say("The dashboard has ended.", true);
    } catch {
      say("The server has ended, or the way to it was cut. Runs that are stored go on. To go on here, start "
        + "`ethosu-tui web` again and open the address that it prints.", false);
    }
  };
  let known = "";
  new MutationObserver(() => {
    const classes = body.className;
    if (classes === known) return;
    if (body.classList.contains("-first-byte") && !known.includes("-first-byte")) focus();
    if (body.classList.contains("-closed") && !known.includes("-closed")) ended();
    known = classes;
  }).observe(body, {attributeFilter: ["class"]});
})();
