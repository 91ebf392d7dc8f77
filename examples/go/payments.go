package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

const tries = 3

// Payments is the payment service, as this shop uses it.
type Payments struct {
	baseURL, clientID, apiSecret, accessToken string
	webhookKey                                []byte
	http                                      http.Client
}

// NewPayments reads the account from environment variables.
func NewPayments(getenv func(string) string) (*Payments, error) {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(getenv("PAYMENT_ORDER_WEBHOOK_SECRET"), "whsec_"))
	return &Payments{
		baseURL:     getenv("PAYMENT_ORDER_BASE_URL"),
		clientID:    getenv("PAYMENT_ORDER_CLIENT_ID"),
		apiSecret:   getenv("PAYMENT_ORDER_API_SECRET"),
		accessToken: getenv("PAYMENT_ORDER_ACCESS_TOKEN"),
		webhookKey:  key,
		http:        http.Client{Timeout: 10 * time.Second},
	}, err
}

// Open opens an order. Trying again is safe: there is one order at most for each requestID.
func (p *Payments) Open(requestID, amount string) error {
	order := map[string]string{
		"clientId":   p.clientID,
		"requestId":  requestID,
		"currencyId": "usd_us",
		"fiatAmount": amount,
		"email":      "buyer@example.com",
	}
	body, err := json.Marshal(order)
	if err != nil {
		return err
	}
	signature := p.sign("fiatAmount=" + amount + "&requestId=" + requestID)
	status, answer, err := p.call(http.MethodPost, "/v1/client/checkout/create-order", body, signature)
	if err != nil || status == http.StatusOK {
		return err
	}
	var refusal struct{ Error struct{ Code string } }
	// The error of a refused token is a text, and no order.
	if json.Unmarshal(answer, &refusal) == nil && refusal.Error.Code == "7001" {
		return nil // the order exists already
	}
	return fmt.Errorf("the service answered %d %s", status, answer)
}

// StatusOf asks for the status of an order; empty if there is no order.
func (p *Payments) StatusOf(requestID string) (string, error) {
	query := url.Values{"requestId": {requestID}, "clientId": {p.clientID}}.Encode()
	status, answer, err := p.call(http.MethodGet, "/v1/client/orders?"+query, nil, "")
	if err != nil {
		return "", err
	}
	if status != http.StatusOK {
		return "", fmt.Errorf("the service answered %d %s", status, answer)
	}
	var found struct {
		Data []struct{ OrderStatus string }
	}
	if err := json.Unmarshal(answer, &found); err != nil || len(found.Data) == 0 {
		return "", err
	}
	return found.Data[0].OrderStatus, nil
}

// IsGenuine verifies a webhook by the headers of Standard Webhooks. body is what came, byte for byte.
func (p *Payments) IsGenuine(header http.Header, body []byte) bool {
	timestamp := header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if age := time.Since(time.Unix(seconds, 0)); err != nil || age > 5*time.Minute || age < -5*time.Minute {
		return false
	}
	mac := hmac.New(sha256.New, p.webhookKey)
	fmt.Fprintf(mac, "%s.%s.%s", header.Get("webhook-id"), timestamp, body)
	expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	for _, signature := range strings.Split(header.Get("webhook-signature"), " ") {
		if hmac.Equal([]byte(signature), expected) {
			return true
		}
	}
	return false
}

func (p *Payments) sign(text string) string {
	mac := hmac.New(sha256.New, []byte(p.apiSecret))
	mac.Write([]byte(text))
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// call tries again where the service has given no clear answer. A clear one is JSON with a status below 500, not 429.
func (p *Payments) call(method, path string, body []byte, signature string) (status int, answer []byte, err error) {
	for try := 1; ; try++ {
		pause := 100 * time.Millisecond
		request, err := http.NewRequest(method, p.baseURL+path, bytes.NewReader(body))
		if err != nil {
			return 0, nil, err
		}
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("access-token", p.accessToken)
		request.Header.Set("signature", signature)
		response, err := p.http.Do(request)
		if err == nil {
			answer, err = io.ReadAll(response.Body)
			response.Body.Close()
			status = response.StatusCode
			if seconds, no := strconv.Atoi(response.Header.Get("Retry-After")); no == nil {
				pause = time.Duration(seconds) * time.Second
			}
			if err == nil && status < 500 && status != http.StatusTooManyRequests && json.Valid(answer) {
				return status, answer, nil
			}
		}
		if try == tries {
			return 0, nil, fmt.Errorf("no clear answer to %s %s (status %d): %v", method, path, status, err)
		}
		time.Sleep(pause)
	}
}
