// Signs and creates a checkout order and a subscription, looks an order up, and receives a webhook whose signature it
// verifies. Go 1.18 or newer, standard library only. Ends with 1 if anything is not as it should be.
//
// usage: go run signing.go [requestId]
package main

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"
)

var (
	baseURL       = setting("PAYMENT_ORDER_BASE_URL")
	clientID      = setting("PAYMENT_ORDER_CLIENT_ID")
	apiSecret     = setting("PAYMENT_ORDER_API_SECRET")
	accessToken   = setting("PAYMENT_ORDER_ACCESS_TOKEN")
	webhookSecret = setting("PAYMENT_ORDER_WEBHOOK_SECRET")
)

// Order is the body of a create call. The amount is a text: as a number, 10.00 would become 10 in the body, which is
// another text than the one signed.
type Order struct {
	ClientID        string `json:"clientId"`
	RequestID       string `json:"requestId"`
	CurrencyID      string `json:"currencyId"`
	FiatAmount      string `json:"fiatAmount"`
	Email           string `json:"email"`
	Interval        string `json:"interval,omitempty"`
	TrialPeriodDays string `json:"trialPeriodDays,omitempty"`
}

// sign gives the HMAC-SHA256 of the UTF-8 text in base64: not hex, not URLEncoding, not RawStdEncoding.
func sign(text string) string {
	mac := hmac.New(sha256.New, []byte(apiSecret))
	mac.Write([]byte(text))
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// checkoutText has the values as they stand in the body before JSON escapes them, not percent-encoded, not trimmed.
// The service's document prints a second form, which begins with `currencyId=...&`; ask which one your account takes.
func checkoutText(order Order) string {
	return "fiatAmount=" + order.FiatAmount + "&requestId=" + order.RequestID
}

// subscriptionText has its members in a fixed order, and leaves an empty trialPeriodDays out.
func subscriptionText(order Order) string {
	text := "currencyId=" + order.CurrencyID + "&" + checkoutText(order) + "&interval=" + order.Interval
	if order.TrialPeriodDays != "" {
		text += "&trialPeriodDays=" + order.TrialPeriodDays
	}
	return text
}

// verify says why a webhook is not to be believed; nil if it is genuine. These headers are those of Standard Webhooks,
// and an addition of the emulator: the service's document shows no way to verify a webhook (choice N38). body is what
// came: parsed and written anew, the same JSON would have other bytes.
func verify(header http.Header, body []byte) error {
	id, timestamp, signatures := header.Get("webhook-id"), header.Get("webhook-timestamp"), header.Get("webhook-signature")
	if id == "" || timestamp == "" || signatures == "" {
		return errors.New("a header is missing")
	}
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if age := time.Since(time.Unix(seconds, 0)); err != nil || age > 5*time.Minute || age < -5*time.Minute {
		return errors.New("the timestamp differs by more than five minutes")
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(webhookSecret, "whsec_")) // decoded, it is the key
	if err != nil {
		return err
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", id, timestamp, body)
	expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	// While a secret is being replaced there are several signatures, with a space between them.
	for _, signature := range strings.Split(signatures, " ") {
		if hmac.Equal([]byte(signature), expected) {
			return nil
		}
	}
	return errors.New("the signature is wrong")
}

type event struct{ RequestID, OrderStatus string }

type received struct {
	event
	err error
}

// receiver sends each webhook to the channel: what it tells, or why it was refused.
func receiver(webhooks chan<- received) *http.Server {
	handler := func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err == nil {
			err = verify(r.Header, body)
		}
		if err != nil {
			w.WriteHeader(http.StatusUnauthorized)
			webhooks <- received{err: fmt.Errorf("webhook refused: %w", err)}
			return
		}
		w.WriteHeader(http.StatusNoContent)
		// The same webhook may come again: remember the `webhook-id` of what you have worked through.
		var told event
		err = json.Unmarshal(body, &told)
		webhooks <- received{told, err}
	}
	return &http.Server{Handler: http.HandlerFunc(handler)}
}

func webhookAbout(requestID string, webhooks <-chan received) (event, error) {
	tooLate := time.After(10 * time.Second)
	for {
		select {
		case webhook := <-webhooks:
			if webhook.err != nil || webhook.RequestID == requestID {
				return webhook.event, webhook.err
			}
		case <-tooLate:
			return event{}, errors.New("no webhook came within 10 seconds")
		}
	}
}

// call sends a body, or asks if there is none, and reads what is answered.
func call(path string, headers map[string]string, body, answer any) error {
	method, sent := http.MethodGet, []byte(nil)
	if body != nil {
		method = http.MethodPost
		var err error
		if sent, err = json.Marshal(body); err != nil {
			return err
		}
	}
	request, err := http.NewRequest(method, baseURL+path, bytes.NewReader(sent))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("access-token", accessToken) // leaves as Access-Token: header names have no case
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s answered %d %s", path, response.StatusCode, text)
	}
	if err != nil {
		return err
	}
	return json.Unmarshal(text, answer)
}

func run(requestID string) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	webhooks := make(chan received, 16)
	server := receiver(webhooks)
	go server.Serve(listener)
	defer server.Shutdown(context.Background()) // lets the last answer out

	var ignored any
	named := map[string]string{"client-id": clientID}
	registration := map[string]string{"webhookUrl": "http://" + listener.Addr().String() + "/webhooks"}
	if err := call("/v1/client/webhook-url", named, registration, &ignored); err != nil {
		return err
	}

	var created struct{ Status string }
	order := Order{
		ClientID:   clientID,
		RequestID:  requestID,
		CurrencyID: "usd_us",
		FiatAmount: "10.00",
		Email:      "buyer@example.com",
	}
	signed := map[string]string{"signature": sign(checkoutText(order))}
	if err := call("/v1/client/checkout/create-order", signed, order, &created); err != nil {
		return err
	}
	fmt.Printf("checkout %s: %s\n", requestID, created.Status)

	monthly := order
	monthly.RequestID, monthly.Interval, monthly.TrialPeriodDays = requestID+"-monthly", "MONTHLY", "7"
	signed = map[string]string{"signature": sign(subscriptionText(monthly))}
	if err := call("/v1/client/subscription/create-order", signed, monthly, &created); err != nil {
		return err
	}
	fmt.Printf("subscription %s: %s\n", monthly.RequestID, created.Status)

	// In a query the values are encoded (`+` would arrive as a space), in the signed text they never are.
	query := url.Values{"requestId": {requestID}, "clientId": {clientID}}.Encode()
	var found struct{ Data []event }
	if err := call("/v1/client/orders?"+query, nil, nil, &found); err != nil {
		return err
	}
	if len(found.Data) != 1 || found.Data[0].RequestID != requestID {
		return fmt.Errorf("found %v", found.Data)
	}
	fmt.Printf("lookup %s: %s\n", requestID, found.Data[0].OrderStatus)

	told, err := webhookAbout(requestID, webhooks)
	if err != nil {
		return err
	}
	fmt.Printf("webhook %s: %s\n", told.RequestID, told.OrderStatus)
	return nil
}

func main() {
	requestID := newID() // globally unique, and kept with your order
	if len(os.Args) > 1 {
		requestID = os.Args[1]
	}
	if err := run(requestID); err != nil {
		fail(err.Error())
	}
}

func newID() string {
	id := make([]byte, 16)
	if _, err := rand.Read(id); err != nil {
		fail(err.Error())
	}
	return fmt.Sprintf("%x", id)
}

func setting(name string) string {
	value := os.Getenv(name)
	if value == "" {
		fail(name + " is not set")
	}
	return value
}

func fail(message string) {
	fmt.Fprintln(os.Stderr, message)
	os.Exit(1)
}
